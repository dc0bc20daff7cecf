import { LogOut, UserMinus, UserPen } from 'lucide-react';
import { useState } from 'react';
import type { ProjectMember } from '../../api/types.ts';
import { useRowKeys } from '../../app/use-row-keys.ts';
import { IconButton } from '../../ui/button.tsx';
import table from '../../ui/table.module.css';
import styles from './members-tab.module.css';
import { memberStays, roles } from './roles.ts';

export interface MemberTableProps {
  readonly members: readonly ProjectMember[];
  /** The account of who looks. */
  readonly ownId: number | undefined;
  readonly as: { readonly manages: boolean; readonly owns: boolean };
  readonly onChange: (member: ProjectMember) => void;
  readonly onRemove: (member: ProjectMember) => void;
}

/** Members with their roles, and why one cannot be changed. One row has the focus, arrows move it, Enter changes the role. */
export function MemberTable({ members, ownId, as, onChange, onRemove }: MemberTableProps) {
  const [current, setCurrent] = useState<number | null>(null);
  const position = Math.max(
    0,
    members.findIndex((member) => member.id === current),
  );
  const { body, onKeyDown } = useRowKeys(position, members.length, () => {
    const member = members[position];
    if (member !== undefined && memberStays(member, members, as) === null) onChange(member);
  });
  return (
    <div className={table['scroller']}>
      <table className={table['table']} role="grid" aria-label="Members" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Role</th>
            <th scope="col">What they may do</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {members.map((member, index) => {
            const stays = memberStays(member, members, as);
            const own = member.id === ownId;
            // Leaving needs no role, but a last owner stays.
            const mayGo = stays === null || (own && member.role !== 'owner');
            return (
              <tr
                key={member.id}
                tabIndex={index === position ? 0 : -1}
                aria-selected={member.id === current}
                className={member.id === current ? table['current'] : ''}
                onFocus={() => setCurrent(member.id)}
              >
                <th scope="row" className={table['name']}>
                  <span>
                    {member.username}
                    {own ? ', you' : ''}
                  </span>
                  <span className={table['description']}>{member.name}</span>
                </th>
                <td data-label="Role">{member.role}</td>
                <td className={styles['why']}>
                  {roles.find(({ role }) => role === member.role)?.inAll} {as.manages && stays !== null ? stays : ''}
                </td>
                <td className={table['action']}>
                  <span className={styles['buttons']}>
                    {stays === null ? <IconButton label={`Change the role of ${member.username}`} icon={<UserPen />} onClick={() => onChange(member)} /> : null}
                    {mayGo ? (
                      <IconButton
                        label={own ? 'Leave the project' : `Remove ${member.username}`}
                        icon={own ? <LogOut /> : <UserMinus />}
                        onClick={() => onRemove(member)}
                      />
                    ) : null}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
