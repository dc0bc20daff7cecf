import { Ban, HardDrive, KeyRound, LockOpen, Pencil, ShieldOff, Trash2, UserCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import type { ManagedUser } from '../../api/requests/types.ts';
import type { MenuEntry } from '../../ui/controls/menu.tsx';
import { isLocked } from './user-state.tsx';

/** Actions on an account. */
export type UserAction = 'edit' | 'storage' | 'tokens' | 'block' | 'unblock' | 'unlock' | 'two-factor' | 'delete';

/**
 * The actions that apply to an account in its state. Users cannot block or delete their own
 * account, or the account that the window acts for.
 */
export function userEntries(
  user: ManagedUser,
  own: boolean,
  now: Date,
  act: (action: UserAction) => void,
): MenuEntry[] {
  const entry = (id: UserAction, label: string, icon: ReactElement): MenuEntry => ({
    kind: 'item',
    id,
    label,
    icon,
    run: () => act(id),
  });
  const stays = own || user.owner;
  return [
    entry('edit', 'Edit…', <Pencil />),
    entry('storage', 'Storage…', <HardDrive />),
    entry('tokens', 'Tokens', <KeyRound />),
    ...(isLocked(user, now) ? [entry('unlock', 'Unlock', <LockOpen />)] : []),
    ...(user.two_factor_enabled ? [entry('two-factor', 'Turn two-factor sign-in off…', <ShieldOff />)] : []),
    ...(stays
      ? []
      : [
          user.state === 'blocked' ? entry('unblock', 'Unblock', <UserCheck />) : entry('block', 'Block…', <Ban />),
          { kind: 'line', id: 'line' } as const,
          {
            kind: 'item',
            id: 'delete',
            label: 'Delete…',
            icon: <Trash2 />,
            danger: true,
            run: () => act('delete'),
          } as const,
        ]),
  ];
}
