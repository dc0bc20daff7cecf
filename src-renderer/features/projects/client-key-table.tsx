import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { ClientKey } from '../../api/types.ts';
import { useApp } from '../../app/context.ts';
import { useRowKeys } from '../../app/use-row-keys.ts';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { copySecret } from '../../ui/copy-secret.ts';
import { formatCount } from '../../ui/format/quantities.ts';
import { Moment } from '../../ui/moment.tsx';
import table from '../../ui/table.module.css';
import { Dsn } from './dsn-fields.tsx';
import styles from './keys.module.css';

/** Client keys with their use; both forms of a DSN below the row that was asked for them. One row has the focus, Enter reveals. */
export function ClientKeyTable({ keys, onDelete }: { readonly keys: readonly ClientKey[]; readonly onDelete: (key: ClientKey) => void }) {
  const { desktop } = useApp();
  const [current, setCurrent] = useState<number | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const position = Math.max(
    0,
    keys.findIndex((key) => key.id === current),
  );
  const toggle = (id: number): void => setShown((before) => (before === id ? null : id));
  const { body, onKeyDown } = useRowKeys(position, keys.length, () => {
    const key = keys[position];
    if (key !== undefined) toggle(key.id);
  });
  const revealed = keys.find((key) => key.id === shown);
  return (
    <>
      <div className={`${table['scroller']} ${styles['keys']}`}>
        <table className={table['table']} role="grid" aria-label="Client keys" onKeyDown={onKeyDown}>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Created</th>
              <th scope="col">Last used</th>
              <th scope="col">Events</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody ref={body}>
            {keys.map((key, index) => (
              <tr
                key={key.id}
                tabIndex={index === position ? 0 : -1}
                aria-selected={key.id === current}
                className={`${styles['key']} ${key.id === current ? table['current'] : ''}`}
                onFocus={() => setCurrent(key.id)}
              >
                <th scope="row" className={table['name']}>
                  <span>
                    {key.id}
                    {key.active ? '' : ', inactive'}
                  </span>
                </th>
                <td data-label="Created">
                  <Moment at={key.created_at} />
                </td>
                <td data-label="Last used">{key.last_used_at === null ? 'never' : <Moment at={key.last_used_at} />}</td>
                <td data-label="Events">{formatCount(key.events)}</td>
                <td className={table['action']}>
                  <span className={styles['buttons']}>
                    <IconButton
                      label={`${shown === key.id ? 'Hide' : 'Reveal'} the DSN of key ${key.id}`}
                      icon={shown === key.id ? <EyeOff /> : <Eye />}
                      aria-expanded={shown === key.id}
                      onClick={() => toggle(key.id)}
                    />
                    <CopyButton text={key.sentry_dsn} copy={async (text) => void (await copySecret(text, desktop))} label={`Copy the DSN of key ${key.id}`} />
                    <IconButton label={`Delete key ${key.id}`} icon={<Trash2 />} onClick={() => onDelete(key)} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
