import { Ban } from 'lucide-react';
import type { AuthorizedApplication } from '../../../api/requests/types.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import type { RowSelection } from '../../../ui/lists/row-selection.ts';
import { RowTable } from '../../../ui/lists/row-table.tsx';
import { useSortedRows, type SortColumn } from '../../../ui/lists/sorted-rows.ts';
import { TimeCell } from '../../../ui/lists/time-cell.tsx';
import table from '../../../ui/lists/table.module.css';
import { ScopeChips } from '../../scopes/scope-chips.tsx';
import { nameOf } from './authorized-words.ts';

const sorts: Readonly<Record<'name' | 'approved' | 'used', SortColumn<AuthorizedApplication>>> = {
  name: { value: nameOf, first: 'asc' },
  approved: { value: ({ authorized_at: at }) => at, first: 'desc' },
  used: { value: ({ last_used_at: at }) => at, first: 'desc' },
};

export interface AuthorizedTableProps {
  readonly authorized: readonly AuthorizedApplication[];
  readonly selection: RowSelection;
  readonly onSelect: (selection: RowSelection) => void;
  readonly onRevoke: (one: AuthorizedApplication) => void;
}

/** No application has this number. */
const withoutApplication = 0;

/** The key of a row: the number of its application. */
export function authorizedKey({ application }: AuthorizedApplication): number {
  return application?.id ?? withoutApplication;
}

/** Applications that may act for the user: since when, with which scopes, and their last use. */
export function AuthorizedTable({ authorized, selection, onSelect, onRevoke }: AuthorizedTableProps) {
  const sorted = useSortedRows(authorized, sorts, { by: 'name', order: 'asc' });
  return (
    <RowTable
      label="Authorized applications"
      columns={[['Name', 'name'], 'Scopes', ['Approved', 'approved'], ['Last used', 'used'], { unseen: 'Actions' }]}
      keyOf={authorizedKey}
      {...sorted}
      selection={selection}
      onSelect={onSelect}
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
          <TimeCell label="Approved" at={one.authorized_at} />
          <TimeCell label="Last used" at={one.last_used_at} none="never" />
          <td className={table['action']}>
            <IconButton label={`Revoke ${nameOf(one)}`} icon={<Ban />} onClick={() => onRevoke(one)} />
          </td>
        </>
      )}
    </RowTable>
  );
}

function originOf({ application }: AuthorizedApplication): string {
  return application === null
    ? 'tokens that a script got with your password'
    : `registered by ${application.owner.username}`;
}
