import type { RemoteServer, ServerProblem } from '../../api/requests/types.ts';
import { useUnits } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { formatRate } from '../../../src-shared/format/quantities.ts';
import { RowTable, type RowCursor } from '../../ui/lists/row-table.tsx';
import { useSortedRows, type SortColumn } from '../../ui/lists/sorted-rows.ts';
import { MoreMenu } from '../../ui/controls/menu.tsx';
import { TimeCell } from '../../ui/lists/time-cell.tsx';
import table from '../../ui/lists/table.module.css';
import type { AskedOfServers } from './server-dialogs.tsx';
import { serverMenu } from './server-menu.tsx';
import { ServerStateWord } from './server-state.tsx';
import styles from './server-table.module.css';
import { useTestServer } from './use-server-commands.ts';

type ServerSort = 'name' | 'state' | 'limit' | 'tested';

/** Sort values of servers. One without a limit comes after all that have one. */
const serverSorts: Readonly<Record<ServerSort, SortColumn<RemoteServer>>> = {
  name: { value: ({ name }) => name, first: 'asc' },
  state: { value: ({ state }) => state, first: 'asc' },
  limit: { value: ({ speed_limit: limit }) => limit ?? Infinity, first: 'asc' },
  tested: { value: ({ checked_at: at }) => at, first: 'desc' },
};

export interface ServerTableProps extends RowCursor {
  readonly servers: readonly RemoteServer[];
  readonly onOpen: (id: number) => void;
  readonly onAsk: (asked: AskedOfServers) => void;
}

/** Servers with their state. A row opens the server's measurements. */
export function ServerTable({ servers, current, onCurrent, onOpen, onAsk }: ServerTableProps) {
  const units = useUnits();
  const sorted = useSortedRows(servers, serverSorts, { by: 'name', order: 'asc' });
  return (
    <RowTable
      label="Servers"
      columns={[
        ['Server', 'name'],
        ['State', 'state'],
        { words: 'Limit', className: table['numeric'], sort: 'limit' },
        ['Tested', 'tested'],
        { unseen: 'What to do' },
      ]}
      {...sorted}
      keyOf={({ id }) => id}
      current={current}
      onCurrent={onCurrent}
      onEnter={({ id }) => onOpen(id)}
      onClick={({ id }) => onOpen(id)}
      className={styles['container']}
    >
      {(server) => (
        <>
          <th scope="row" className={styles['server']}>
            <span className={styles['name']}>{server.name}</span>
            <span className={styles['address']}>{server.base_url}</span>
            {server.state === 'failed' && server.message !== null ? (
              <span className={styles['reason']}>{server.message}</span>
            ) : null}
          </th>
          <td data-label="">
            <ServerStateWord server={server} />
            {server.state === 'ok' && server.username !== null ? (
              <span className="muted">
                {' '}
                as <bdi>{server.username}</bdi>
              </span>
            ) : null}
          </td>
          <td data-label="Limit" className={`${table['numeric']} ${server.speed_limit === null ? styles['none'] : ''}`}>
            {server.speed_limit === null ? '–' : formatRate(server.speed_limit, units)}
          </td>
          <TimeCell label="Tested" at={server.checked_at} none="–" />
          <ActionsCell server={server} onAsk={onAsk} />
        </>
      )}
    </RowTable>
  );
}

interface ServerActionProps {
  readonly server: RemoteServer;
  readonly onAsk: (asked: AskedOfServers) => void;
}

function ActionsCell({ server, onAsk }: ServerActionProps) {
  const test = useTestServer();
  return (
    // A click on buttons and menus in a row is not a click on the row.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <td className={table['action']} onClick={(event) => event.stopPropagation()}>
      <span className={styles['buttons']}>
        <Remedy server={server} onAsk={onAsk} />
        <MoreMenu
          label={`Actions for ${server.name}`}
          entries={serverMenu({
            onTest: () => test(server),
            onEdit: () => onAsk({ kind: 'edit', server }),
            onRemove: () => onAsk({ kind: 'remove', server }),
          })}
        />
      </span>
    </td>
  );
}

/** The one action that makes a server work again. */
export function Remedy({
  server,
  onAsk,
}: {
  readonly server: RemoteServer;
  readonly onAsk: (asked: AskedOfServers) => void;
}) {
  const kind = server.state !== 'failed' || server.problem === null ? undefined : remedies[server.problem];
  if (kind === undefined) return null;
  const words = {
    certificate: 'Show details',
    token: server.has_token ? 'New token' : 'Enter token',
    edit: 'Edit',
  } as const;
  return <Button onClick={() => onAsk({ kind, server })}>{words[kind]}</Button>;
}

const remedies: Readonly<Partial<Record<ServerProblem, 'certificate' | 'token' | 'edit'>>> = {
  certificate: 'certificate',
  'token-missing': 'token',
  'token-refused': 'token',
  'scope-too-small': 'token',
  'address-unusable': 'edit',
  'name-unknown': 'edit',
  'no-tls': 'edit',
  'not-a-measurement-server': 'edit',
};
