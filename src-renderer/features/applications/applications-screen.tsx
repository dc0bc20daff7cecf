import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { AppWindow } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { AuthorizedApplication, OAuthApplication } from '../../api/types.ts';
import { useApp, useCommand, useScreen } from '../../app/context.ts';
import { matchWords } from '../../app/match-words.ts';
import { PageHeader } from '../../app/page-header.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format/quantities.ts';
import { Inspector } from '../../ui/inspector.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import tabs from '../../ui/tabs.module.css';
import { narrowQuery, useMedia } from '../../ui/use-media.ts';
import { ApplicationDetail } from './application-detail.tsx';
import { ApplicationDialogs, type OpenDialog } from './application-dialogs.tsx';
import { ApplicationTable } from './application-table.tsx';
import styles from './applications-screen.module.css';
import { AuthorizedTable } from './authorized-table.tsx';
import { nameOf } from './authorized-words.ts';

/** Software that signs people in here: what one has registered, and what may act for oneself. */
export function ApplicationsScreen() {
  useScreen('applications');
  const { queries, commands } = useApp();
  const navigate = useNavigate();
  const narrow = useMedia(narrowQuery);
  const own = useQuery(queries.applications());
  const authorized = useQuery(queries.authorizedApplications());
  const { applicationId } = useParams({ strict: false });
  const { tab } = useSearch({ from: '/applications' });
  const [search, setSearch] = useState('');
  const [current, setCurrent] = useState<number | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const handlers = useStore(commands, (state) => state.handlers);

  const open = own.data?.find((application) => String(application.id) === applicationId);
  const target = tab === undefined ? (open ?? own.data?.find((application) => application.id === current)) : undefined;
  const list = useRef<HTMLElement>(null);
  const close = (): void => void navigate({ to: '/applications' });
  // Back to the row that was opened, once the list may have the focus again.
  const openId = open?.id ?? null;
  const before = useRef<number | null>(null);
  useEffect(() => {
    if (openId === null && before.current !== null) list.current?.querySelector<HTMLElement>('tbody tr[tabindex="0"]')?.focus();
    before.current = openId;
  }, [openId, list, before]);
  const askAbout = (kind: 'edit' | 'renew' | 'delete', application: OAuthApplication | undefined) =>
    application === undefined ? null : () => setDialog({ kind, application });
  useCommand('register-application', () => setDialog({ kind: 'register' }));
  useCommand('edit-application', askAbout('edit', target));
  useCommand('renew-secret', target?.confidential === true ? askAbout('renew', target) : null);
  useCommand('delete-application', askAbout('delete', target));
  useCommand('close-inspector', applicationId === undefined ? null : close);

  const shownOwn = (own.data ?? []).filter((one) => matchWords(`${one.name} ${one.client_id} ${one.redirect_uris.join(' ')} ${one.scopes.join(' ')}`, search));
  const shownAuthorized = (authorized.data ?? []).filter((one) => matchWords(`${nameOf(one)} ${one.scopes.join(' ')}`, search));
  const register = (
    <Button look="primary" icon={<AppWindow aria-hidden />} onClick={() => handlers.get('register-application')?.()}>
      Register
    </Button>
  );
  const nothingFound = <EmptyState title={`No application matches “${search}”.`} action={<Button onClick={() => setSearch('')}>Clear the search</Button>} />;

  return (
    <>
      <section ref={list} className={styles['list']} aria-label="Applications" inert={narrow && open !== undefined}>
        <PageHeader title="Applications" search={{ value: search, label: 'Search applications', onChange: setSearch }} action={register} />
        <Tabs.Root
          className={tabs['tabs']}
          value={tab ?? 'own'}
          onValueChange={(value) => void navigate({ to: '/applications', search: value === 'authorized' ? { tab: 'authorized' } : {}, replace: true })}
        >
          <Tabs.List className={tabs['list']} activateOnFocus>
            <Tabs.Tab value="own" className={tabs['tab']}>
              Yours <Count of={own.data} />
            </Tabs.Tab>
            <Tabs.Tab value="authorized" className={tabs['tab']}>
              Authorized <Count of={authorized.data} />
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="own" className={tabs['panel']} tabIndex={-1}>
            <Failure query={own} />
            {own.data === undefined ? null : own.data.length === 0 ? (
              <EmptyState icon={<AppWindow aria-hidden />} title="Register software that signs people in with Benchport." action={register}>
                A web server, a desktop program or an instrument then acts for whoever approves it, within the scopes that you choose, and without their
                password.
              </EmptyState>
            ) : shownOwn.length === 0 ? (
              nothingFound
            ) : (
              <ApplicationTable
                applications={shownOwn}
                current={open?.id ?? current}
                onCurrent={setCurrent}
                onOpen={(id) =>
                  void navigate({ to: '/applications/$applicationId', params: { applicationId: String(id) }, replace: applicationId !== undefined })
                }
              />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="authorized" className={tabs['panel']} tabIndex={-1}>
            <Failure query={authorized} />
            {authorized.data === undefined ? null : authorized.data.length === 0 ? (
              <EmptyState title="No application may act for you.">Those that you approve stand here, with what they may do, until you revoke them.</EmptyState>
            ) : shownAuthorized.length === 0 ? (
              nothingFound
            ) : (
              <AuthorizedTable authorized={shownAuthorized} onRevoke={(one) => setDialog({ kind: 'revoke', authorized: one })} />
            )}
          </Tabs.Panel>
        </Tabs.Root>
      </section>
      {open === undefined || tab !== undefined ? null : (
        <Inspector label={`Application ${open.name}`}>
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
      <ApplicationDialogs
        dialog={dialog}
        onClose={() => setDialog(null)}
        onChanged={() => void Promise.all([own.refetch(), authorized.refetch()])}
        onDeleted={close}
      />
    </>
  );
}

function Count({ of }: { readonly of: readonly (OAuthApplication | AuthorizedApplication)[] | undefined }) {
  return of === undefined ? null : <span className={styles['count']}>{formatCount(of.length)}</span>;
}

interface FailureProps {
  readonly query: { readonly error: unknown; readonly data: unknown; readonly refetch: () => Promise<unknown> };
}

function Failure({ query }: FailureProps) {
  if (query.error === null || query.data !== undefined) return null;
  return (
    <div className={styles['failure']}>
      <ProblemNote error={query.error} action={<Button onClick={() => void query.refetch()}>Try again</Button>} />
    </div>
  );
}
