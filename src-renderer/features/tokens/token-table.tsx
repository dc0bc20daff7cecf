import { Ban, RefreshCw } from 'lucide-react';
import type { ListedToken, PersonalAccessToken } from '../../api/requests/types.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { RowTable, type RowCursor, type SortedSelection } from '../../ui/lists/row-table.tsx';
import type { SortColumn } from '../../ui/lists/sorted-rows.ts';
import { TimeCell } from '../../ui/lists/time-cell.tsx';
import table from '../../ui/lists/table.module.css';
import { ScopeChips } from '../scopes/scope-chips.tsx';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import type { TokenSort } from './all-tokens-search.ts';
import { ExpiryBadge } from './expiry-badge.tsx';
import { nameWithOwner } from './token-owners.ts';
import styles from './token-table.module.css';

/** Sort values of tokens. One that never expires comes after all that do. */
export const tokenSorts: Readonly<Record<TokenSort, SortColumn<PersonalAccessToken>>> = {
  name: { value: ({ name }) => name, first: 'asc' },
  created: { value: ({ created_at: at }) => at, first: 'desc' },
  used: { value: ({ last_used_at: at }) => at, first: 'desc' },
  expires: { value: ({ expires_at: at }) => at ?? '~', first: 'asc' },
};

export interface TokenTableProps extends RowCursor, SortedSelection<TokenSort> {
  readonly tokens: readonly ListedToken[];
  /** Whether there is a column of owners. */
  readonly withOwner?: boolean;
  readonly now: Date;
  /** Undefined where tokens cannot be rotated. */
  readonly onRotate?: (token: ListedToken) => void;
  readonly onRevoke: (token: ListedToken) => void;
}

/**
 * Tokens with their scopes and their last use, without the secret. One row has the keyboard cursor,
 * and arrows move it.
 */
export function TokenTable({ tokens, now, withOwner = false, onRotate, onRevoke, ...list }: TokenTableProps) {
  return (
    <RowTable
      label="Tokens"
      columns={[
        ['Name', 'name'],
        ...(withOwner ? ['Owner'] : []),
        'Scopes',
        ['Created', 'created'],
        ['Last used', 'used'],
        ['Expires', 'expires'],
        { unseen: 'Actions' },
      ]}
      rows={tokens}
      keyOf={({ id }) => id}
      {...list}
      rowClass={({ active }) => (active ? '' : 'muted')}
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
          {withOwner ? (
            <td className="breakable" data-label="Owner">
              {token.username ?? `user ${token.user_id}`}
            </td>
          ) : null}
          <td className={table['chips']}>
            <ScopeChips scopes={token.scopes} />
          </td>
          <TimeCell label="Created" at={token.created_at} />
          <td data-label="Last used">
            <LastUse token={token} />
          </td>
          <td data-label="Expires">
            <ExpiryBadge token={token} now={now} />
          </td>
          <td className={table['action']}>
            {token.active ? (
              <span className={table['buttons']}>
                {onRotate === undefined ? null : (
                  <IconButton label={`Rotate ${token.name}`} icon={<RefreshCw />} onClick={() => onRotate(token)} />
                )}
                <IconButton
                  label={withOwner ? `Revoke ${nameWithOwner(token)}` : `Revoke ${token.name}`}
                  icon={<Ban />}
                  onClick={() => onRevoke(token)}
                />
              </span>
            ) : null}
          </td>
        </>
      )}
    </RowTable>
  );
}

function LastUse({ token: { last_used_at: at, last_used_ips: ips } }: { readonly token: ListedToken }) {
  return (
    <>
      <Moment at={at} none="never" />
      {ips[0] === undefined ? null : (
        <span className={styles['address']} title={`Last used from ${ips.join(', ')}`}>
          {ips[0]}
        </span>
      )}
    </>
  );
}
