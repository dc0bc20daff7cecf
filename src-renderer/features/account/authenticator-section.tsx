import { useQueryClient } from '@tanstack/react-query';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import type { Account, NewTotpKey } from '../../api/requests/types.ts';
import { useApp, useToast } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { useSubmit } from '../../ui/hooks/use-submit.ts';
import { AuthenticatorDialog } from './authenticator-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { Section } from './section.tsx';

/** Codes from an authenticator as a second factor: on and off. */
export function AuthenticatorSection({ account }: { readonly account: Account }) {
  const { actions } = useApp();
  const client = useQueryClient();
  const [key, setKey] = useState<NewTotpKey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [asking, setAsking] = useState(false);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['account'] });
  const begin = useSubmit(async () => setKey(await actions.newTotpKey()));

  return (
    <Section
      title="Authenticator"
      state={
        account.totp ? (
          <StatusWord tone="ok" icon={ShieldCheck} word="on" />
        ) : (
          <StatusWord tone="quiet" icon={ShieldOff} word="off" />
        )
      }
      about={
        account.totp
          ? 'Signing in asks for a code from your authenticator after the password. Programs that ask for your user name and password are refused: give them a token instead.'
          : account.has_password
            ? 'An app on your phone makes a new code every 30 seconds. With it, a stolen password alone is not enough to sign in.'
            : 'A code from your phone, asked for after the password. Set a password first.'
      }
    >
      {account.totp ? (
        <div className="row">
          <Button onClick={() => setAsking(true)}>Turn off</Button>
        </div>
      ) : (
        <div className="row">
          <Button busy={begin.busy} disabled={!account.has_password} onClick={begin.submit}>
            Set up authenticator
          </Button>
        </div>
      )}
      <ProblemNote error={begin.failure} />
      <AuthenticatorDialog
        newKey={key}
        onClose={() => setKey(null)}
        onConfirmed={async (recoveryCodes) => {
          setKey(null);
          setCodes(recoveryCodes);
          await refresh();
        }}
      />
      <RecoveryCodesDialog codes={codes} username={account.user.username} onSaved={() => setCodes(null)} />
      <TurnOffDialog open={asking} account={account} refresh={refresh} onClose={() => setAsking(false)} />
    </Section>
  );
}

interface TurnOffDialogProps {
  readonly open: boolean;
  readonly account: Account;
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

function TurnOffDialog({ open, account, refresh, onClose }: TurnOffDialogProps) {
  const { actions } = useApp();
  const toast = useToast();
  return (
    <ConfirmDialog
      open={open}
      title="Turn the authenticator off?"
      verb="Turn off"
      onConfirm={async () => {
        await actions.turnTotpOff();
        await refresh();
        toast({ kind: 'plain', text: 'The authenticator is off' });
      }}
      onClose={onClose}
    >
      <p>
        {account.webauthn_keys.length > 0
          ? 'From then on one of your security keys is asked for after the password.'
          : 'From then on the password alone signs you in, and the recovery codes stop working.'}
      </p>
    </ConfirmDialog>
  );
}
