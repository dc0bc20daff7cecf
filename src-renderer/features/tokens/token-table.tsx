import { Ban, RefreshCw } from 'lucide-react';
import type { PersonalAccessToken } from '../../api/types.ts';
import { IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RowTable } from '../../ui/row-table.tsx';
import table from '../../ui/table.module.css';
import { ScopeChips } from '../scopes/scope-chips.tsx';
import { plainText } from '../../ui/format/shown-text.ts';
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
  return (
    <RowTable
      label="Tokens"
      columns={['Name', 'Scopes', 'Created', 'Last used', 'Expires', { unseen: 'Actions' }]}
      rows={tokens}
      keyOf={({ id }) => id}
      current={current}
      onCurrent={onCurrent}
      rowClass={({ active }) => (active ? '' : styles['inactive'])}
    >
      {(token) => (
        <>
          <th scope="row" className={table['name']}>
            <span>{plainText(token.name)}</span>
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
        </>
      )}
    </RowTable>
  );
}
