import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { ClientKey } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { useReachable } from '../../../context/reachable.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { copySecret } from '../../../ui/controls/copy-secret.ts';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { RowTable } from '../../../ui/lists/row-table.tsx';
import { useSortedRows, type SortColumn } from '../../../ui/lists/sorted-rows.ts';
import { TimeCell } from '../../../ui/lists/time-cell.tsx';
import table from '../../../ui/lists/table.module.css';
import { Dsn } from './dsn-fields.tsx';
import styles from './keys.module.css';

type KeySort = 'key' | 'created' | 'used' | 'events';

const keySorts: Readonly<Record<KeySort, SortColumn<ClientKey>>> = {
  key: { value: ({ id }) => id, first: 'asc' },
  created: { value: ({ created_at: at }) => at, first: 'desc' },
  used: { value: ({ last_used_at: at }) => at, first: 'desc' },
  events: { value: ({ events }) => events, first: 'desc' },
};

/**
 * Client keys with their use, and both forms of a revealed DSN below its row. One row has the
 * keyboard cursor, Enter reveals.
 */
export function ClientKeyTable({
  keys,
  onDelete,
}: {
  readonly keys: readonly ClientKey[];
  readonly onDelete: (key: ClientKey) => void;
}) {
  const { desktop } = useApp();
  const reachable = useReachable();
  const [shown, setShown] = useState<number | null>(null);
  const sorted = useSortedRows(keys, keySorts, { by: 'key', order: 'asc' });
  const toggle = (id: number): void => setShown((before) => (before === id ? null : id));
  const revealed = keys.find((key) => key.id === shown);
  return (
    <>
      <RowTable
        label="Client keys"
        columns={[
          ['Key', 'key'],
          ['Created', 'created'],
          ['Last used', 'used'],
          { words: 'Events', className: table['numeric'], sort: 'events' },
          { unseen: 'Actions' },
        ]}
        {...sorted}
        keyOf={({ id }) => id}
        onEnter={({ id }) => toggle(id)}
        className={`${table['scroller']} ${styles['keys']}`}
        rowClass={() => styles['key']}
      >
        {(key) => (
          <>
            <th scope="row" className={table['name']}>
              <span>
                {key.id}
                {key.active ? '' : ', inactive'}
              </span>
            </th>
            <TimeCell label="Created" at={key.created_at} />
            <TimeCell label="Last used" at={key.last_used_at} none="never" />
            <td data-label="Events" className={table['numeric']}>
              {formatCount(key.events)}
            </td>
            <td className={table['action']}>
              <span className={styles['buttons']}>
                <IconButton
                  label={`${shown === key.id ? 'Hide' : 'Reveal'} the DSN of key ${key.id}`}
                  icon={shown === key.id ? <EyeOff /> : <Eye />}
                  aria-expanded={shown === key.id}
                  onClick={() => toggle(key.id)}
                />
                <CopyButton
                  text={reachable(key.sentry_dsn)}
                  copy={async (text) => void (await copySecret(text, desktop))}
                  label={`Copy the DSN of key ${key.id}`}
                />
                <IconButton label={`Delete key ${key.id}`} icon={<Trash2 />} onClick={() => onDelete(key)} />
              </span>
            </td>
          </>
        )}
      </RowTable>
      {revealed === undefined ? null : (
        <Fragment key={revealed.id}>
          <Dsn
            what={`DSN of key ${revealed.id} as shown`}
            about={`DSN of key ${revealed.id}`}
            dsn={revealed.sentry_dsn}
            publicKey={revealed.public_key}
            revealed
          />
          <Dsn
            what={`deprecated DSN of key ${revealed.id}`}
            about={`Deprecated form of key ${revealed.id}`}
            dsn={revealed.sentry_dsn_deprecated}
            publicKey={revealed.public_key}
            revealed
          />
        </Fragment>
      )}
    </>
  );
}
