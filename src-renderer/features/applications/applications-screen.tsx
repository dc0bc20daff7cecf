import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { AppWindow } from 'lucide-react';
import { useRef, useState } from 'react';
import type { OAuthApplication } from '../../api/requests/types.ts';
import { useApp, useCommand, useScreen, useSession } from '../../context/context.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { Inspector } from '../../ui/layout/inspector.tsx';
import { NothingFound } from '../../ui/notes/nothing-found.tsx';
import { CommandButton } from '../../ui/controls/command-button.tsx';
import { TabView } from '../../ui/layout/tab-view.tsx';
import { useFocusAfterDetail } from '../../ui/hooks/use-focus-after-detail.ts';
import { coveredQuery, useMedia } from '../../ui/hooks/use-media.ts';
import { noRows } from '../../ui/lists/row-selection.ts';
import { ApplicationDetail } from './application-detail.tsx';
import { ApplicationDialogs, type OpenDialog } from './dialogs/application-dialogs.tsx';
import { ApplicationList } from './application-list.tsx';
import { readApplicationsSearch } from './applications-search.ts';
import screen from '../../ui/layout/screen.module.css';
import styles from './applications-screen.module.css';
import { AuthorizedList } from './authorized/authorized-list.tsx';
import { authorizedKey } from './authorized/authorized-table.tsx';
import { BulkApplications, BulkAuthorized } from './bulk-applications.tsx';
import { useChosenRows, useRowCursor } from '../../ui/lists/use-chosen-rows.ts';

/**
 * Applications that sign users in: those registered by the user, and those that may act for the
 * user.
 */
export function ApplicationsScreen() {
  useScreen('applications');
  const { queries } = useApp();
  const navigate = useNavigate();
  const covered = useMedia(coveredQuery);
  const isAdmin = useSession().user?.is_admin ?? false;
  const address = useSearch({ from: '/applications' });
  const tab = address.tab === 'all' && !isAdmin ? 'own' : (address.tab ?? 'own');
  const own = useQuery(queries.applications('own'));
  const all = useQuery({ ...queries.applications('all'), enabled: isAdmin });
  const authorized = useQuery(queries.authorizedApplications());
  const { applicationId } = useParams({ strict: false });
  const [search, setSearch] = useState('');
  const cursor = useRowCursor();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);

  const listed = tab === 'authorized' ? [] : ((tab === 'all' ? all : own).data ?? []);
  const open = listed.find((application) => String(application.id) === applicationId);
  const target = open ?? listed.find((application) => application.id === cursor.current);
  const keys = tab === 'authorized' ? (authorized.data ?? []).map(authorizedKey) : listed.map(({ id }) => id);
  const chosen = useChosenRows(keys.map(String));
  const { selection } = chosen;
  const list = useRef<HTMLElement>(null);
  const close = (): void => void navigate({ to: '/applications', search: address });
  useFocusAfterDetail(open?.id ?? null, () =>
    list.current?.querySelector<HTMLElement>('tbody tr[tabindex="0"]')?.focus(),
  );
  const ask = (kind: 'edit' | 'renew' | 'delete', application: OAuthApplication | undefined) =>
    application === undefined ? null : () => setDialog({ kind, application });
  useCommand('register-application', () => setDialog({ kind: 'register' }));
  useCommand('edit-application', ask('edit', target));
  useCommand('renew-secret', target?.confidential === true ? ask('renew', target) : null);
  useCommand('delete-application', ask('delete', target));
  useCommand('close-inspector', applicationId === undefined ? null : close);

  const parts = {
    search,
    register: (
      <CommandButton look="primary" icon={<AppWindow aria-hidden />} command="register-application">
        Register
      </CommandButton>
    ),
    nothingFound: <NothingFound what="application" search={search} onClear={() => setSearch('')} />,
  };
  const reload = (): void =>
    void Promise.all([own.refetch(), authorized.refetch(), ...(isAdmin ? [all.refetch()] : [])]);
  const bulk = { onClear: () => chosen.onSelect(noRows), onDone: reload };
  const isSelected = (key: number): boolean => selection.ids.has(String(key));
  const table = {
    selection,
    onSelect: chosen.onSelect,
    current: open?.id ?? cursor.current,
    onCurrent: cursor.onCurrent,
    onOpen: (id: number) =>
      void navigate({
        to: '/applications/$applicationId',
        params: { applicationId: String(id) },
        search: address,
        replace: applicationId !== undefined,
      }),
  };

  return (
    <>
      <section ref={list} className={screen['screen']} aria-label="Applications" inert={covered && open !== undefined}>
        <PageHeader
          title="Applications"
          search={{ value: search, label: 'Search applications', onChange: setSearch }}
          action={parts.register}
        />
        {tab === 'authorized' ? (
          <BulkAuthorized
            selected={(authorized.data ?? []).filter((one) => isSelected(authorizedKey(one)))}
            {...bulk}
          />
        ) : (
          <BulkApplications selected={listed.filter(({ id }) => isSelected(id))} {...bulk} />
        )}
        <TabView
          value={tab}
          onChange={(value) => {
            chosen.onSelect(noRows);
            void navigate({ to: '/applications', search: readApplicationsSearch({ tab: value }), replace: true });
          }}
          views={[
            {
              value: 'own',
              word: <Counted word="Yours" of={own.data} />,
              content: (
                <ApplicationList label="Your applications" withOwner={false} query={own} {...parts} {...table} />
              ),
            },
            isAdmin
              ? {
                  value: 'all',
                  word: <Counted word="Everybody’s" of={all.data} />,
                  content: (
                    <ApplicationList label="Everybody’s applications" withOwner query={all} {...parts} {...table} />
                  ),
                }
              : null,
            {
              value: 'authorized',
              word: <Counted word="Authorized" of={authorized.data} />,
              content: (
                <AuthorizedList
                  query={authorized}
                  {...parts}
                  {...chosen}
                  onRevoke={(one) => setDialog({ kind: 'revoke', authorized: one })}
                />
              ),
            },
          ]}
        />
      </section>
      {open === undefined ? null : (
        <Inspector heading="Applications" label={`Application ${open.name}`}>
          <ApplicationDetail
            key={open.id}
            application={open}
            onClose={close}
            onEdit={() => setDialog({ kind: 'edit', application: open })}
            onRenew={() => setDialog({ kind: 'renew', application: open })}
            onDelete={() => setDialog({ kind: 'delete', application: open })}
          />
        </Inspector>
      )}
      <ApplicationDialogs dialog={dialog} onClose={() => setDialog(null)} onChanged={reload} onDeleted={close} />
    </>
  );
}

function Counted({ word, of }: { readonly word: string; readonly of: readonly unknown[] | undefined }) {
  return (
    <>
      {word} {of === undefined ? null : <span className={styles['count']}>{formatCount(of.length)}</span>}
    </>
  );
}
