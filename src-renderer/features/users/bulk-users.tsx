import { Ban, UserCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ManagedUser } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { runForMany } from '../../context/run-for-many.ts';
import { BulkBar } from '../../ui/lists/bulk-bar.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import type { MenuEntry } from '../../ui/controls/menu.tsx';

export interface BulkUsersProps {
  readonly selected: readonly ManagedUser[];
  /** Id of the signed-in user. */
  readonly ownId: number | undefined;
  readonly onClear: () => void;
  readonly onDone: () => Promise<unknown>;
}

/**
 * The bar for several selected accounts: blocks and unblocks them. The user's own account and the
 * owner's are left out.
 */
export function BulkUsers({ selected, ownId, onClear, onDone }: BulkUsersProps) {
  const app = useApp();
  const [blocking, setBlocking] = useState<readonly ManagedUser[]>([]);
  const changeable = selected.filter((user) => user.id !== ownId && !user.owner);
  const active = changeable.filter(({ state }) => state === 'active');
  const blocked = changeable.filter(({ state }) => state === 'blocked');
  const change = async (items: readonly ManagedUser[], action: 'block' | 'unblock'): Promise<void> => {
    await runForMany(app, {
      items,
      nameOf: ({ username }) => username,
      noun: 'user',
      verbs: action === 'block' ? { doing: 'Blocking', done: 'blocked' } : { doing: 'Unblocking', done: 'unblocked' },
      run: async ({ id }) => (action === 'block' ? app.actions.blockUser(id) : app.actions.unblockUser(id)),
    });
    onClear();
    await onDone();
  };
  const entry = (id: string, label: string, icon: ReactNode, run: () => void): MenuEntry => ({
    kind: 'item',
    id,
    label,
    icon,
    run,
  });
  const actions: MenuEntry[] = [
    ...(active.length === 0 ? [] : [entry('block', 'Block…', <Ban aria-hidden />, () => setBlocking(active))]),
    ...(blocked.length === 0
      ? []
      : [entry('unblock', 'Unblock', <UserCheck aria-hidden />, () => void change(blocked, 'unblock'))]),
  ];
  return (
    <>
      <BulkBar label="With the selected users" count={selected.length} actions={actions} onClear={onClear} />
      <ConfirmDialog
        open={blocking.length > 0}
        title={`Block ${countOf(blocking.length, 'user')}?`}
        verb="Block"
        onConfirm={async () => void change(blocking, 'block')}
        onClose={() => setBlocking([])}
      >
        <p>
          They are signed out everywhere and cannot sign in. All their tokens and the access that they gave to
          applications end for good, and downloads that run with them end within two seconds.
        </p>
        <p>
          Measurements and registered applications stay. Once the accounts are unblocked, they have to sign in again and
          to make new tokens.
        </p>
      </ConfirmDialog>
    </>
  );
}
