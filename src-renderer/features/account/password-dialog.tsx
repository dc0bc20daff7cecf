import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account, PasswordChange } from '../../api/requests/types.ts';
import { useApp, useSession, useToast } from '../../context/context.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Choice } from '../../ui/controls/field.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { minPasswordLength } from '../users/credential-rules.ts';
import { PasswordField } from '../../ui/controls/text-field.tsx';

/** Sets or changes the password, and offers to revoke tokens and applications with it. */
export function PasswordDialog({
  account,
  open,
  onClose,
}: {
  readonly account: Account;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={account.has_password ? 'Change the password' : 'Set a password'}
      width="narrow"
    >
      <PasswordForm account={account} onClose={onClose} />
    </Dialog>
  );
}

function PasswordForm({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const changePassword = useChangePassword(account, onClose);
  const inWindow = useSession().door === 'window';
  const asksCurrent = account.has_password && !inWindow;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [shown, setShown] = useState(false);
  const [endsTokens, setEndsTokens] = useState(false);
  const type = shown ? 'text' : 'password';
  const tooShort = next !== '' && next.length < minPasswordLength;

  async function change(): Promise<void> {
    await changePassword({
      new_password: next,
      revoke_tokens: endsTokens,
      ...(asksCurrent ? { current_password: current } : {}),
    });
  }

  return (
    <DialogForm
      verb={account.has_password ? 'Change password' : 'Set password'}
      ready={next.length >= minPasswordLength && (!asksCurrent || current !== '')}
      onCancel={onClose}
      onSubmit={change}
    >
      <input type="text" autoComplete="username" value={account.user.username} readOnly hidden />
      {asksCurrent ? (
        <PasswordField label="Current password" type={type} required value={current} onChange={setCurrent} />
      ) : null}
      <PasswordField
        isNew
        label="New password"
        hint={`At least ${minPasswordLength} characters${tooShort ? `, so ${minPasswordLength - next.length} more` : ''}. Long and memorable is better than short and complicated.`}
        type={type}
        required
        value={next}
        onChange={setNext}
      />
      <Choice
        name="shown"
        label={asksCurrent ? 'Show the passwords' : 'Show the password'}
        checked={shown}
        onChange={setShown}
      />
      {account.has_password ? (
        <Choice
          name="tokens"
          label="Also end tokens and applications"
          meaning="Revokes all your personal access tokens and the access you gave to applications. Machines that use them stop working until they get new ones."
          checked={endsTokens}
          onChange={setEndsTokens}
        />
      ) : null}
    </DialogForm>
  );
}

function useChangePassword(account: Account, onDone: () => void) {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  return async (change: PasswordChange): Promise<void> => {
    await actions.changePassword(change);
    onDone();
    const ended = change.revoke_tokens
      ? 'Other sign-ins, tokens and applications have ended.'
      : 'Other sign-ins have ended.';
    toast({
      kind: 'plain',
      text: account.has_password ? 'Password changed' : 'Password set',
      ...(account.has_password ? { detail: ended } : {}),
    });
    // The session of this page continues with a new cookie.
    await Promise.all(
      ['session', 'account', 'tokens', 'applications'].map((topic) => client.invalidateQueries({ queryKey: [topic] })),
    );
  };
}
