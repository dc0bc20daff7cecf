import { useState } from 'react';
import { useStore } from 'zustand';
import { ApiError } from '../../api/requests/problem.ts';
import { useApp, useSession } from '../../context/context.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

/**
 * Asks for the password or the second factor whenever the service requires a confirmation of
 * identity.
 */
export function ConfirmIdentity() {
  const pending = useStore(useApp().identity.store, (state) => state.pending);
  return (
    <Dialog
      open={pending !== null}
      onClose={() => pending?.cancelled()}
      width="narrow"
      title="Confirm that it is you"
      description={
        pending?.proof === 'second-factor'
          ? 'This changes how you sign in, so it asks for your second factor. What you started continues afterwards.'
          : 'Your last sign-in was a while ago, and this gives or takes away lasting access. What you started continues afterwards.'
      }
    >
      {pending === null ? null : pending.proof === 'password' ? (
        <PasswordForm onConfirmed={pending.confirmed} onCancel={pending.cancelled} />
      ) : (
        <CodeForm onConfirmed={pending.confirmed} onCancel={pending.cancelled} />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly onConfirmed: () => void;
  readonly onCancel: () => void;
}

function CodeForm({ onConfirmed, onCancel }: FormProps) {
  const { actions } = useApp();
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);

  async function confirm(): Promise<void> {
    try {
      await actions.confirmIdentity({ code: code.trim() });
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'wrong-code') throw error;
      setWrong(error.detail);
      return;
    }
    onConfirmed();
  }

  return (
    <DialogForm verb="Confirm" ready={code.trim() !== ''} onCancel={onCancel} onSubmit={confirm}>
      <TextField
        label="Code from your authenticator, or a recovery code"
        error={wrong}
        hint="If you have a security key only, sign out and in again with it; for 15 minutes after that you are not asked again."
        type="text"
        required
        autoComplete="one-time-code"
        maxLength={100}
        value={code}
        onChange={setCode}
      />
    </DialogForm>
  );
}

function PasswordForm({ onConfirmed, onCancel }: FormProps) {
  const { actions } = useApp();
  const { user } = useSession();
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);

  async function confirm(): Promise<void> {
    try {
      await actions.confirmIdentity({ password });
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'wrong-password') throw error;
      setWrong(error.detail);
      return;
    }
    onConfirmed();
  }

  return (
    <DialogForm verb="Confirm" ready={password !== ''} onCancel={onCancel} onSubmit={confirm}>
      {/* Password managers select the entry by it. */}
      <input type="text" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
      <TextField
        label={`Password of ${user?.username ?? ''}`}
        error={wrong}
        type="password"
        required
        autoComplete="current-password"
        maxLength={128}
        value={password}
        onChange={setPassword}
      />
    </DialogForm>
  );
}
