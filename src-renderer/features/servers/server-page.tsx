import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowDownToLine, ArrowLeft, FlaskConical } from 'lucide-react';
import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import { ApiError } from '../../api/requests/problem.ts';
import type { ListQuery } from '../../api/queries/list-query.ts';
import type { RemoteServer } from '../../api/requests/types.ts';
import { useApp, useCommand } from '../../context/context.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { formatCount, formatTotal } from '../../../src-shared/format/quantities.ts';
import { ContextMenu, MenuEntries, MoreMenu } from '../../ui/controls/menu.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { noRows, type RowSelection } from '../../ui/lists/row-selection.ts';
import { CommandButton } from '../../ui/controls/command-button.tsx';
import screen from '../../ui/layout/screen.module.css';
import { useStable } from '../../ui/hooks/use-stable.ts';
import { FetchDialog, type Wanted } from '../transfers/adding/fetch-dialog.tsx';
import { IdForm } from './id-form.tsx';
import { RemoteList } from './remote-list.tsx';
import { ServerDialogs, type AskedOfServers } from './server-dialogs.tsx';
import { serverMenu } from './server-menu.tsx';
import styles from './server-page.module.css';
import { ServerStateWord } from './server-state.tsx';
import { Remedy } from './server-table.tsx';
import { nextOrder } from '../measurements/list/list-search.ts';
import { useFirstRemotePage } from './use-remote-rows.ts';
import { useServerCommands, useTestServer } from './use-server-commands.ts';

/** The measurements of one server, to be fetched. */
export function ServerPage({ id, servers }: { readonly id: number; readonly servers: UseQueryResult<RemoteServer[]> }) {
  const navigate = useNavigate();
  const server = servers.data?.find((one) => one.id === id);
  const toList = (): void => void navigate({ to: '/servers' });
  useCommand('close-inspector', toList);
  if (server !== undefined) return <Browser key={server.base_url} server={server} onBack={toList} />;
  return (
    <section className={screen['screen']} aria-label="Server">
      <PageHeader title="Servers" />
      <NotLoaded of={servers} className={screen['note']} />
      {servers.data === undefined ? null : (
        <EmptyState
          title="This server is no longer in the list."
          action={<Button onClick={toList}>Show all servers</Button>}
        />
      )}
    </section>
  );
}

function Browser({ server, onBack }: { readonly server: RemoteServer; readonly onBack: () => void }) {
  const app = useApp();
  const [search, setSearch] = useState('');
  const [selection, setSelection] = useState<RowSelection>(noRows);
  const [asked, setAsked] = useState<AskedOfServers | null>(null);
  const [wanted, setWanted] = useState<readonly Wanted[]>([]);
  const listRef = useRef<{ focus: () => void }>(null);
  const handlers = useStore(app.commands, (state) => state.handlers);
  const lists = server.lists !== false && server.state !== 'failed';
  const [sort, setSort] = useState<Pick<ListQuery, 'sort' | 'order'>>({ sort: 'created_at', order: 'desc' });
  const list: ListQuery = { search: search.trim(), ...sort };
  const first = useFirstRemotePage(server.id, list, lists);
  const cannotList =
    server.state !== 'failed' &&
    (server.lists === false || (first.error instanceof ApiError && first.error.type === 'cannot-list'));
  const { total = 0, more = false } = first.data ?? {};
  const test = useTestServer();
  const [known] = useState(() => new Map<string, Wanted>());
  useServerCommands(server, setAsked);

  const fetchThese = (ids: readonly string[]): void =>
    setWanted(ids.map((id) => known.get(id) ?? { id, title: null, files: null, bytes: null }));
  const [reading, setReading] = useState(false);
  const selected = selection.ids.size;
  const whyNot = reading
    ? 'The rows to select are still being read from the server.'
    : selected === 0
      ? 'Select a measurement in the list first.'
      : null;
  useCommand('fetch-measurement', whyNot === null ? () => fetchThese([...selection.ids]) : null);
  const searchFor = useStable((text: string): void => {
    setSelection(noRows);
    setSearch(text);
  });

  return (
    <section className={screen['screen']} aria-label={`Measurements of ${server.name}`}>
      <PageHeader
        title={server.name}
        back={<IconButton label="All servers" icon={<ArrowLeft aria-hidden />} onClick={onBack} />}
        count={
          first.data === undefined
            ? undefined
            : selected > 1
              ? `${formatCount(selected)} of ${formatTotal(total, more)} selected`
              : formatTotal(total, more)
        }
        {...(lists
          ? {
              search: {
                value: search,
                label: `Search on ${server.name}`,
                onChange: searchFor,
                onLeave: () => listRef.current?.focus(),
              },
            }
          : {})}
        action={
          <CommandButton
            look="primary"
            icon={<ArrowDownToLine aria-hidden />}
            aria-disabled={whyNot !== null}
            {...(whyNot === null ? {} : { title: whyNot })}
            command="fetch-measurement"
          >
            Fetch
          </CommandButton>
        }
      />
      <ServerLine server={server} onAsk={setAsked} />
      {cannotList ? <IdForm server={server} onFound={(one) => setWanted([one])} /> : null}
      {first.error === null || first.data !== undefined || cannotList || !lists ? null : (
        <ProblemNote
          error={first.error}
          className={screen['note']}
          action={
            <span className={styles['remedies']}>
              <Button onClick={() => void first.refetch()}>Try again</Button>
              <Button onClick={() => test(server)}>Test the connection</Button>
            </span>
          }
        />
      )}
      {lists && first.data !== undefined && total === 0 ? (
        <NoRemoteMeasurements search={search} onClear={() => searchFor('')} />
      ) : null}
      {lists && first.data !== undefined && total > 0 ? (
        <ContextMenu
          className={styles['area']}
          menu={
            <MenuEntries
              entries={[
                {
                  kind: 'item',
                  id: 'fetch',
                  label: 'Fetch…',
                  icon: <ArrowDownToLine />,
                  shortcut: 'F',
                  run: () => handlers.get('fetch-measurement')?.(),
                },
              ]}
            />
          }
        >
          <RemoteList
            ref={listRef}
            server={server}
            list={list}
            onSort={(by) => {
              setSelection(noRows);
              setSort(nextOrder(list, by));
            }}
            firstPage={first.data}
            busy={first.isPlaceholderData}
            selection={selection}
            known={known}
            onSelect={setSelection}
            onReading={setReading}
            onFetch={(id) => fetchThese([id])}
          />
        </ContextMenu>
      ) : null}
      <ServerDialogs asked={asked} onAsk={setAsked} onClose={() => setAsked(null)} onRemoved={onBack} />
      {wanted.length === 0 ? null : (
        <FetchDialog
          key={wanted.map(({ id }) => id).join(' ')}
          server={server}
          wanted={wanted}
          onClose={() => setWanted([])}
        />
      )}
    </section>
  );
}

/** The state and address of the server, and below them why it cannot be used. */
function ServerLine({
  server,
  onAsk,
}: {
  readonly server: RemoteServer;
  readonly onAsk: (asked: AskedOfServers) => void;
}) {
  const test = useTestServer();
  return (
    <>
      <div className={styles['line']}>
        <ServerStateWord server={server} />
        <code title={server.base_url}>{server.base_url}</code>
        <MoreMenu
          entries={serverMenu({
            onTest: () => test(server),
            onEdit: () => onAsk({ kind: 'edit', server }),
            onRemove: () => onAsk({ kind: 'remove', server }),
          })}
        />
      </div>
      {server.state === 'failed' ? (
        <div className={screen['note']}>
          <Note kind="bad">
            <p>{server.message ?? 'This server cannot be used.'}</p>
            <p className={styles['remedies']}>
              <Remedy server={server} onAsk={onAsk} />
              <Button onClick={() => test(server)}>Test again</Button>
            </p>
          </Note>
        </div>
      ) : null}
    </>
  );
}

function NoRemoteMeasurements({ search, onClear }: { readonly search: string; readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={<FlaskConical aria-hidden />}
      title={
        search === ''
          ? 'This server has no measurements that the token can read.'
          : `No measurement on this server matches “${search}”.`
      }
      action={search === '' ? undefined : <Button onClick={onClear}>Clear the search</Button>}
    />
  );
}
