import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Server } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { RemoteServer } from '../../api/requests/types.ts';
import { useCommand } from '../../context/context.ts';
import { matchWords } from '../../ui/lists/match-words.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { NothingFound } from '../../ui/notes/nothing-found.tsx';
import { CommandButton } from '../../ui/controls/command-button.tsx';
import screen from '../../ui/layout/screen.module.css';
import { Discovered } from './discovered.tsx';
import { ServerDialogs, type AskedOfServers } from './server-dialogs.tsx';
import { readServersSearch } from './servers-search.ts';
import { ServerTable } from './server-table.tsx';
import styles from './server-table.module.css';
import { useServerCommands } from './use-server-commands.ts';
import { useRowCursor } from '../../ui/lists/use-chosen-rows.ts';

/** Added servers, and those found on the local network. */
export function ServerList({ servers }: { readonly servers: UseQueryResult<RemoteServer[]> }) {
  const navigate = useNavigate();
  // The router also passes on parameters that were not validated.
  const { add } = readServersSearch({ ...useSearch({ from: '/servers' }) });
  const [search, setSearch] = useState('');
  const cursor = useRowCursor();
  const [asked, setAsked] = useState<AskedOfServers | null>(null);
  const { data, error, refetch } = servers;
  const found = (data ?? []).filter(
    (one) => matchWords(`${one.name} ${one.base_url}`, search) || one.base_url.includes(search),
  );
  useServerCommands(found.find(({ id }) => id === cursor.current) ?? null, setAsked);
  useCommand('add-server', () => setAsked({ kind: 'add', address: '' }));
  // A link fills in the form. Nothing is saved before the user submits it.
  const shown = asked ?? (add === undefined ? null : ({ kind: 'add', address: add } as const));
  const close = (): void => {
    setAsked(null);
    if (add !== undefined) void navigate({ to: '/servers', search: {}, replace: true });
  };
  const open = (id: number): void => void navigate({ to: '/servers/$serverId', params: { serverId: String(id) } });
  const button = (
    <CommandButton look="primary" icon={<Plus aria-hidden />} command="add-server">
      Add server
    </CommandButton>
  );

  return (
    <Screen
      title="Servers"
      count={data === undefined ? undefined : formatCount(data.length)}
      {...(data === undefined || data.length === 0
        ? {}
        : { search: { value: search, label: 'Search servers', onChange: setSearch } })}
      action={button}
    >
      <NotLoaded of={{ data, error, refetch }} className={screen['note']} />
      <div className={`${screen['scroller']} ${styles['column']}`}>
        {data === undefined ? null : data.length === 0 ? (
          <NoServers action={button} />
        ) : found.length === 0 ? (
          <NothingFound what="server" search={search} onClear={() => setSearch('')} />
        ) : (
          <ServerTable servers={found} {...cursor} onOpen={open} onAsk={setAsked} />
        )}
        <Discovered
          onAdd={({ base_url: address, certificate_sha256: certificate }) =>
            setAsked({ kind: 'add', address, certificate })
          }
        />
      </div>
      <ServerDialogs asked={shown} onAsk={setAsked} onClose={close} onReady={(server) => open(server.id)} />
    </Screen>
  );
}

function NoServers({ action }: { readonly action: ReactNode }) {
  return (
    <EmptyState
      icon={<Server aria-hidden />}
      title="Add the server of a lab once, then fetch its measurements."
      action={action}
    >
      All you need is its address and a token. It can be another Benchport or the data manager of an instrument.
    </EmptyState>
  );
}
