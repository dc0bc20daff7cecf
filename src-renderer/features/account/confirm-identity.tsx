import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { ApiError } from '../../api/requests/problem.ts';
import { useApp, useSession } from '../../context/context.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { TextField, type TextFieldProps, PasswordField } from '../../ui/controls/text-field.tsx';

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

function CodeForm(props: FormProps) {
  const { actions } = useApp();
  return (
    <ProofForm {...props} wrong="wrong-code" prove={async (code) => actions.confirmIdentity({ code: code.trim() })}>
      {(proof) => (
        <TextField
          label="Code from your authenticator, or a recovery code"
          hint="If you have a security key only, sign out and in again with it; for 15 minutes after that you are not asked again."
          autoComplete="one-time-code"
          maxLength={100}
          {...proof}
        />
      )}
    </ProofForm>
  );
}

function PasswordForm(props: FormProps) {
  const { actions } = useApp();
  const username = useSession().user?.username ?? '';
  return (
    <ProofForm {...props} wrong="wrong-password" prove={async (password) => actions.confirmIdentity({ password })}>
      {(proof) => (
        <>
          {/* Password managers select the entry by it. */}
          <input type="text" autoComplete="username" value={username} readOnly hidden />
          <PasswordField label={`Password of ${username}`} {...proof} />
        </>
      )}
    </ProofForm>
  );
}

interface ProofFormProps extends FormProps {
  /** The type of the error that stands below the field. */
  readonly wrong: string;
  readonly prove: (proof: string) => Promise<unknown>;
  readonly children: (
    field: Pick<TextFieldProps, 'value' | 'onChange' | 'error'> & { readonly required: true },
  ) => ReactNode;
}

function ProofForm({ wrong, prove, onConfirmed, onCancel, children }: ProofFormProps) {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | null>(null);
  async function confirm(): Promise<void> {
    try {
      await prove(value);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.type !== wrong) throw failure;
      setError(failure.detail);
      return;
    }
    onConfirmed();
  }
  return (
    <DialogForm verb="Confirm" ready={value !== ''} onCancel={onCancel} onSubmit={confirm}>
      {children({ value, onChange: setValue, error, required: true })}
    </DialogForm>
  );
}
