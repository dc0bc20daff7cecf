import type { ManagedUser, ManagedUserSort } from '../../api/requests/types.ts';
import { RowTable, type RowCursor, type SortedSelection } from '../../ui/lists/row-table.tsx';
import { MoreMenu } from '../../ui/controls/menu.tsx';
import { TimeCell } from '../../ui/lists/time-cell.tsx';
import styles from '../../ui/lists/table.module.css';
import { useNow } from '../../ui/hooks/use-now.ts';
import { userEntries, type UserAction } from './user-menu.tsx';
import { SignInState, UserState } from './user-state.tsx';

export interface UserTableProps extends RowCursor, SortedSelection<ManagedUserSort> {
  readonly users: readonly ManagedUser[];
  /** Id of the signed-in user. */
  readonly ownId: number | undefined;
  readonly onAct: (action: UserAction, user: ManagedUser) => void;
}

/** Accounts with their state. One row has the keyboard cursor, arrows move it, Enter edits. */
export function UserTable({ users, ownId, onAct, ...list }: UserTableProps) {
  const now = useNow();
  return (
    <RowTable
      label="Users"
      columns={[
        ['User', 'username'],
        ['State', 'state'],
        'Signs in with',
        'Role',
        ['Last sign-in', 'last_sign_in_at'],
        ['Created', 'created_at'],
        { unseen: 'Actions' },
      ]}
      rows={users}
      keyOf={({ id }) => id}
      {...list}
      onEnter={(user) => onAct('edit', user)}
    >
      {(user) => (
        <>
          <th scope="row" className={styles['name']}>
            <span>
              {user.username}
              {user.id === ownId ? ', you' : ''}
            </span>
            <span className={styles['description']} title={aboutUser(user)}>
              <bdi>{user.name}</bdi>
              {user.email === null ? '' : ` · ${user.email}`}
            </span>
          </th>
          <td data-label="State">
            <UserState user={user} now={now} />
          </td>
          <td data-label="Signs in with">
            <SignInState user={user} />
          </td>
          <td data-label="Role">
            {user.is_admin ? 'administrator' : 'user'}
            {user.owner ? ', owner' : ''}
          </td>
          <TimeCell label="Last sign-in" at={user.last_sign_in_at} none="never" />
          <TimeCell label="Created" at={user.created_at} />
          <td className={styles['action']}>
            <MoreMenu
              label={`Actions for ${user.username}`}
              align="start"
              entries={userEntries(user, user.id === ownId, now, (action) => onAct(action, user))}
            />
          </td>
        </>
      )}
    </RowTable>
  );
}

function aboutUser({ name, email }: ManagedUser): string {
  return email === null ? name : `${name} · ${email}`;
}
