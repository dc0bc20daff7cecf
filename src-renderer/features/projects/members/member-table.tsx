import { LogOut, UserMinus, UserPen } from 'lucide-react';
import type { ProjectMember } from '../../../api/requests/types.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { RowTable } from '../../../ui/lists/row-table.tsx';
import { useSortedRows, type SortColumn } from '../../../ui/lists/sorted-rows.ts';
import table from '../../../ui/lists/table.module.css';
import styles from './members-tab.module.css';
import { memberStays, roles } from './roles.ts';

/** Roles in ascending order of rights. */
const memberSorts: Readonly<Record<'user' | 'role', SortColumn<ProjectMember>>> = {
  user: { value: ({ username }) => username, first: 'asc' },
  role: { value: (member) => roles.findIndex(({ role }) => role === member.role), first: 'asc' },
};

export interface MemberTableProps {
  readonly members: readonly ProjectMember[];
  /** Id of the signed-in user. */
  readonly ownId: number | undefined;
  readonly as: { readonly manages: boolean; readonly owns: boolean };
  readonly onChange: (member: ProjectMember) => void;
  readonly onRemove: (member: ProjectMember) => void;
}

/**
 * Members with their roles, and why a role cannot be changed. One row has the keyboard cursor,
 * arrows move it, Enter changes the role.
 */
export function MemberTable({ members, ownId, as, onChange, onRemove }: MemberTableProps) {
  const sorted = useSortedRows(members, memberSorts, { by: 'user', order: 'asc' });
  return (
    <RowTable
      label="Members"
      columns={[['User', 'user'], ['Role', 'role'], 'What they may do', { unseen: 'Actions' }]}
      {...sorted}
      keyOf={({ id }) => id}
      onEnter={(member) => (memberStays(member, members, as) === null ? onChange(member) : undefined)}
    >
      {(member) => {
        const stays = memberStays(member, members, as);
        const own = member.id === ownId;
        // Leaving needs no role, but the last owner cannot leave.
        const mayGo = stays === null || (own && member.role !== 'owner');
        return (
          <>
            <th scope="row" className={table['name']}>
              <span>
                {member.username}
                {own ? ', you' : ''}
              </span>
              <span className={table['description']} title={member.name}>
                <bdi>{member.name}</bdi>
              </span>
            </th>
            <td data-label="Role">{member.role}</td>
            <td className={styles['why']}>
              {roles.find(({ role }) => role === member.role)?.inAll} {as.manages && stays !== null ? stays : ''}
            </td>
            <td className={table['action']}>
              <span className={styles['buttons']}>
                {stays === null ? (
                  <IconButton
                    label={`Change the role of ${member.username}`}
                    icon={<UserPen />}
                    onClick={() => onChange(member)}
                  />
                ) : null}
                {mayGo ? (
                  <IconButton
                    label={own ? 'Leave the project' : `Remove ${member.username}`}
                    icon={own ? <LogOut /> : <UserMinus />}
                    onClick={() => onRemove(member)}
                  />
                ) : null}
              </span>
            </td>
          </>
        );
      }}
    </RowTable>
  );
}
