import type { ManagedUser } from '../../api/requests/types.ts';
import { useApp, useSession } from '../../context/context.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { QuotaDialog } from '../quotas/quota-dialog.tsx';
import { EditUserDialog } from './user-form.tsx';
import type { UserAction } from './user-menu.tsx';

/** An action that needs confirmation. */
export interface AskedOfUser {
  readonly action: UserAction;
  readonly user: ManagedUser;
}

export interface UserDialogsProps {
  readonly asked: AskedOfUser | null;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

/** Confirms an action on an account, and states what it ends and removes. */
export function UserDialogs({ asked, onClose, onDone }: UserDialogsProps) {
  const { actions, queries } = useApp();
  const session = useSession();
  const user = asked?.user ?? null;
  const name = user?.username ?? '';
  const confirms = (action: UserAction): boolean => asked?.action === action;
  const run = (act: (id: number) => Promise<unknown>) => async (): Promise<void> => {
    if (user !== null) await act(user.id);
    await onDone();
  };
  return (
    <>
      <EditUserDialog
        user={confirms('edit') ? user : null}
        own={user?.id === session.user?.id}
        onClose={onClose}
        onSaved={onDone}
      />
      {user !== null && confirms('storage') ? (
        <QuotaDialog
          name={name}
          about="Measurements in the library that they own. Files that are registered where they lie take nothing."
          query={queries.userQuota(user.id)}
          save={(bytes) => actions.setUserQuota(user.id, bytes)}
          onClose={onClose}
        />
      ) : null}
      <BlockDialog open={confirms('block')} name={name} onConfirm={run(actions.blockUser)} onClose={onClose} />
      <ConfirmDialog
        open={confirms('two-factor')}
        title={`Turn two-factor sign-in of ${name} off?`}
        verb="Turn off"
        onConfirm={run(actions.disableTwoFactor)}
        onClose={onClose}
      >
        <p>
          Their authenticator, recovery codes and security keys are removed, and the password alone signs them in. Do
          this only if you know that it is {name} who is asking.
        </p>
      </ConfirmDialog>
      <DeleteDialog open={confirms('delete')} name={name} onConfirm={run(actions.deleteUser)} onClose={onClose} />
    </>
  );
}

interface NamedDialogProps {
  readonly open: boolean;
  readonly name: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

function BlockDialog({ name, ...rest }: NamedDialogProps) {
  return (
    <ConfirmDialog title={`Block ${name}?`} verb="Block" {...rest}>
      <p>
        {name} is signed out everywhere and cannot sign in. All their tokens and the access they gave to applications
        are revoked for good, and downloads that use them end within two seconds.
      </p>
      <p>
        Measurements and registered applications are kept. Once the account is unblocked, {name} has to sign in again
        and create new tokens.
      </p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ name, ...rest }: NamedDialogProps) {
  return (
    <ConfirmDialog title={`Delete ${name}?`} verb="Delete" {...rest}>
      <p>
        Its sign-ins, its tokens, the access it gave to applications, and the applications it registered are deleted
        too; people who use those lose access. The audit trail is kept. This cannot be undone.
      </p>
      <p>An account that owns measurements cannot be deleted. Block it instead, or remove the measurements first.</p>
    </ConfirmDialog>
  );
}
