import { Ban } from 'lucide-react';
import { useState } from 'react';
import type { AuthorizedApplication } from '../../api/types.ts';
import { IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RowTable } from '../../ui/row-table.tsx';
import table from '../../ui/table.module.css';
import { ScopeChips } from '../scopes/scope-chips.tsx';
import { nameOf } from './authorized-words.ts';

export interface AuthorizedTableProps {
  readonly authorized: readonly AuthorizedApplication[];
  readonly onRevoke: (one: AuthorizedApplication) => void;
}

/** No application has this number. */
const withoutApplication = 0;

/** Who may act for the signed-in user: since when, what for, and when they last did. */
export function AuthorizedTable({ authorized, onRevoke }: AuthorizedTableProps) {
  const [current, setCurrent] = useState(0);
  const position = Math.min(current, authorized.length - 1);
  const keyOf = ({ application }: AuthorizedApplication): number => application?.id ?? withoutApplication;
  const at = authorized[position];
  return (
    <RowTable
      label="Authorized applications"
      columns={['Name', 'Scopes', 'Approved', 'Last used', { unseen: 'Actions' }]}
      rows={authorized}
      keyOf={keyOf}
      current={at === undefined ? null : keyOf(at)}
      onCurrent={(key) => setCurrent(authorized.findIndex((one) => keyOf(one) === key))}
    >
      {(one) => (
        <>
          <th scope="row" className={table['name']}>
            <span>{nameOf(one)}</span>
            <span className={table['description']} title={originOf(one)}>
              {originOf(one)}
            </span>
          </th>
          <td className={table['chips']}>
            <ScopeChips scopes={one.scopes} />
          </td>
          <td data-label="Approved">
            <Moment at={one.authorized_at} />
          </td>
          <td data-label="Last used">{one.last_used_at === null ? 'never' : <Moment at={one.last_used_at} />}</td>
          <td className={table['action']}>
            <IconButton label={`Revoke ${nameOf(one)}`} icon={<Ban />} onClick={() => onRevoke(one)} />
          </td>
        </>
      )}
    </RowTable>
  );
}

function originOf({ application }: AuthorizedApplication): string {
  return application === null ? 'tokens that a script got with your password' : `registered by ${application.owner.username}`;
}
