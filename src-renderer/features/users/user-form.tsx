import { useState } from 'react';
import type { User } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Choice } from '../../ui/controls/field.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { minPasswordLength, problemOfUsername } from './credential-rules.ts';
import { TextField, PasswordField } from '../../ui/controls/text-field.tsx';

interface Values {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly admin: boolean;
}

/** Creates an account. */
export function CreateUserDialog({
  open,
  onClose,
  onSaved,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<unknown>;
}) {
  const { actions } = useApp();
  return (
    <Dialog open={open} onClose={onClose} title="Create a user">
      <UserForm
        before={{ username: '', name: '', email: '', password: '', admin: false }}
        kind="new"
        verb="Create user"
        onCancel={onClose}
        onSubmit={async ({ username, name, email, password, admin }) => {
          await actions.createUser({
            username,
            name: name.trim() === '' ? username : name.trim(),
            admin,
            ...(email.trim() === '' ? {} : { email: email.trim() }),
            ...(password === '' ? {} : { password }),
          });
          onClose();
          await onSaved();
        }}
      />
    </Dialog>
  );
}

export interface EditUserDialogProps {
  /** The account to change; null while the dialog is closed. */
  readonly user: Pick<User, 'id' | 'username' | 'name' | 'email' | 'is_admin'> | null;
  /** The user's own account: its password and role are changed elsewhere. */
  readonly own: boolean;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<unknown>;
}

/** Changes the name, rights and password of an account. */
export function EditUserDialog({ user, own, onClose, onSaved }: EditUserDialogProps) {
  const { actions } = useApp();
  return (
    <Dialog
      open={user !== null}
      onClose={onClose}
      title={own ? 'Change name or address' : `Edit ${user?.username ?? ''}`}
    >
      {user === null ? null : (
        <UserForm
          before={{
            username: user.username,
            name: user.name,
            email: user.email ?? '',
            password: '',
            admin: user.is_admin,
          }}
          kind={own ? 'own' : 'other'}
          verb="Save"
          onCancel={onClose}
          onSubmit={async ({ name, email, password, admin }) => {
            const address = email.trim() === '' ? null : email.trim();
            await actions.changeUser(user.id, {
              ...(name.trim() === user.name ? {} : { name: name.trim() }),
              ...(address === user.email ? {} : { email: address }),
              ...(password === '' ? {} : { password }),
              ...(admin === user.is_admin ? {} : { admin }),
            });
            onClose();
            await onSaved();
          }}
        />
      )}
    </Dialog>
  );
}

interface UserFormProps {
  readonly before: Values;
  readonly kind: 'new' | 'other' | 'own';
  readonly verb: string;
  readonly onCancel: () => void;
  readonly onSubmit: (values: Values) => Promise<unknown>;
}

function UserForm({ before, kind, verb, onCancel, onSubmit }: UserFormProps) {
  const [values, setValues] = useState(before);
  const set = (change: Partial<Values>): void => setValues({ ...values, ...change });
  const { username, name, email, password, admin } = values;
  const badName = username === '' ? null : problemOfUsername(username);
  const badPassword =
    password !== '' && password.length < minPasswordLength ? `At least ${minPasswordLength} characters.` : null;
  const changed = (Object.keys(before) as (keyof Values)[]).some((member) => before[member] !== values[member]);
  const complete = username !== '' && (kind === 'new' || name.trim() !== '');
  return (
    <DialogForm
      verb={verb}
      ready={changed && complete && badName === null && badPassword === null}
      onCancel={onCancel}
      onSubmit={() => onSubmit(values)}
    >
      {kind === 'new' ? (
        <TextField
          label="User name"
          error={badName}
          hint="Used to sign in. It cannot be changed later."
          required
          spellCheck={false}
          maxLength={255}
          value={username}
          onChange={(text) => set({ username: text })}
        />
      ) : null}
      <TextField
        label="Full name"
        required={kind !== 'new'}
        maxLength={255}
        placeholder={username}
        value={name}
        onChange={(text) => set({ name: text })}
      />
      <TextField
        label="E-mail address (optional)"
        type="email"
        maxLength={320}
        value={email}
        onChange={(text) => set({ email: text })}
      />
      {kind === 'own' ? null : (
        <>
          <NewPasswordField
            isNew={kind === 'new'}
            error={badPassword}
            value={password}
            onChange={(text) => set({ password: text })}
          />
          <Choice
            name="admin"
            label="Administrator"
            meaning="Reads and manages everything here: all measurements, all users, all applications."
            checked={admin}
            onChange={(checked) => set({ admin: checked })}
          />
        </>
      )}
    </DialogForm>
  );
}

interface NewPasswordFieldProps {
  /** Whether the account is new, too. */
  readonly isNew: boolean;
  readonly error: string | null;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function NewPasswordField({ isNew, ...rest }: NewPasswordFieldProps) {
  return (
    <PasswordField
      isNew
      label={isNew ? 'Password (optional)' : 'New password (optional)'}
      hint={
        isNew
          ? 'Leave empty for an account that only owns measurements and tokens: nobody can sign in with it.'
          : 'Leave empty to keep the current one. Give a new one to them in person; all their sign-ins end.'
      }
      {...rest}
    />
  );
}
