import { Ban, RefreshCw } from 'lucide-react';
import type { PersonalAccessToken } from '../../api/types.ts';
import { useRowKeys } from '../../app/use-row-keys.ts';
import { IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import table from '../../ui/table.module.css';
import { ScopeChips } from '../scopes/scope-chips.tsx';
import { ExpiryBadge } from './expiry-badge.tsx';
import styles from './token-table.module.css';

export interface TokenTableProps {
  readonly tokens: readonly PersonalAccessToken[];
  readonly now: Date;
  /** The row that the keys mean. */
  readonly current: number | null;
  readonly onCurrent: (id: number) => void;
  readonly onRotate: (token: PersonalAccessToken) => void;
  readonly onRevoke: (token: PersonalAccessToken) => void;
}

/** Tokens with their scopes and their last use; never the secret. One row has the focus, and arrows move it. */
export function TokenTable({ tokens, now, current, onCurrent, onRotate, onRevoke }: TokenTableProps) {
  const position = Math.max(
    0,
    tokens.findIndex((token) => token.id === current),
  );
  const { body, onKeyDown } = useRowKeys(position, tokens.length);
  return (
    <div className={table['scroller']}>
      <table className={table['table']} role="grid" aria-label="Tokens" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Scopes</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {tokens.map((token, index) => (
            <tr
              key={token.id}
              tabIndex={index === position ? 0 : -1}
              aria-selected={token.id === current}
              className={`${token.active ? '' : styles['inactive']} ${token.id === current ? table['current'] : ''}`}
              onFocus={() => onCurrent(token.id)}
            >
              <th scope="row" className={table['name']}>
                <span>{token.name}</span>
                {token.description === '' ? null : (
                  <span className={table['description']} title={token.description}>
                    {token.description}
                  </span>
                )}
              </th>
              <td className={table['chips']}>
                <ScopeChips scopes={token.scopes} />
              </td>
              <td data-label="Created">
                <Moment at={token.created_at} />
              </td>
              <td data-label="Last used">
                {token.last_used_at === null ? 'never' : <Moment at={token.last_used_at} />}
                {token.last_used_ips[0] === undefined ? null : (
                  <span className={styles['address']} title={`Last used from ${token.last_used_ips.join(', ')}`}>
                    {token.last_used_ips[0]}
                  </span>
                )}
              </td>
              <td data-label="Expires">
                <ExpiryBadge token={token} now={now} />
              </td>
              <td className={table['action']}>
                {token.active ? (
                  <span className={styles['buttons']}>
                    <IconButton label={`Rotate ${token.name}`} icon={<RefreshCw />} onClick={() => onRotate(token)} />
                    <IconButton label={`Revoke ${token.name}`} icon={<Ban />} onClick={() => onRevoke(token)} />
                  </span>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
