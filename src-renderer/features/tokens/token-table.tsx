import { Ban } from 'lucide-react';
import type { PersonalAccessToken } from '../../api/types.ts';
import { IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { ExpiryBadge } from './expiry-badge.tsx';
import { meaningOf } from './scope-words.ts';
import styles from './token-table.module.css';

export interface TokenTableProps {
  readonly tokens: readonly PersonalAccessToken[];
  readonly now: Date;
  readonly onRevoke: (token: PersonalAccessToken) => void;
}

/** Tokens with their scopes and their last use; never the secret. */
export function TokenTable({ tokens, now, onRevoke }: TokenTableProps) {
  return (
    // The table scrolls, and its first stop for the keyboard may be far down.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles['scroller']} tabIndex={0} role="region" aria-label="List of tokens">
      <table className={styles['table']}>
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
        <tbody>
          {tokens.map((token) => (
            <tr
              key={token.id}
              className={token.active ? undefined : styles['inactive']}
              onKeyDown={(event) => {
                if (event.key === 'Delete' && token.active) onRevoke(token);
              }}
            >
              <th scope="row" className={styles['name']}>
                <span>{token.name}</span>
                {token.description === '' ? null : (
                  <span className={styles['description']} title={token.description}>
                    {token.description}
                  </span>
                )}
              </th>
              <td className={styles['scopes']}>
                {token.scopes.map((scope) => (
                  <code key={scope} title={meaningOf(scope)}>
                    {scope}
                  </code>
                ))}
              </td>
              <td data-label="Created">
                <Moment at={token.created_at} />
              </td>
              <td data-label="Last used">{token.last_used_at === null ? 'never' : <Moment at={token.last_used_at} />}</td>
              <td data-label="Expires">
                <ExpiryBadge token={token} now={now} />
              </td>
              <td className={styles['action']}>
                {token.active ? <IconButton label={`Revoke ${token.name}`} icon={<Ban />} onClick={() => onRevoke(token)} /> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
