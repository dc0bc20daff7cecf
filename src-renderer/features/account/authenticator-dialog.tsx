import { useState } from 'react';
import type { NewTotpKey } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { copySecret } from '../../ui/controls/copy-secret.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { QrCode } from '../../ui/figures/qr-code.tsx';
import secrets from '../../ui/dialogs/secret-once.module.css';
import styles from './authenticator-dialog.module.css';
import { TextField } from '../../ui/controls/text-field.tsx';

export interface AuthenticatorDialogProps {
  /** The key to add to the authenticator; null while none is being set up. */
  readonly newKey: NewTotpKey | null;
  readonly onClose: () => void;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => Promise<void>;
}

/** Adds a new key to the authenticator and verifies its first code. */
export function AuthenticatorDialog({ newKey, onClose, onConfirmed }: AuthenticatorDialogProps) {
  return (
    <Dialog open={newKey !== null} onClose={onClose} title="Set up the authenticator">
      {newKey === null ? null : <FirstCodeForm newKey={newKey} onCancel={onClose} onConfirmed={onConfirmed} />}
    </Dialog>
  );
}

interface FirstCodeProps {
  readonly newKey: NewTotpKey;
  readonly onCancel: () => void;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => Promise<void>;
}

function FirstCodeForm({ newKey, onCancel, onConfirmed }: FirstCodeProps) {
  const { actions, desktop } = useApp();
  const [code, setCode] = useState('');
  const digits = code.replaceAll(/\s/g, '');
  return (
    <DialogForm
      verb="Turn on"
      ready={/^\d{6}$/.test(digits)}
      onCancel={onCancel}
      onSubmit={async () => onConfirmed((await actions.confirmTotpKey(digits)).recovery_codes)}
    >
      <div className={styles['key']}>
        <QrCode text={newKey.uri} label="QR code that holds the key" />
        <div className={styles['typed']}>
          <p>Scan this with an authenticator: an app on your phone, or your password manager.</p>
          <p>If it cannot scan, type the key:</p>
          <div className={secrets['secret']}>
            <code data-testid="totp-secret">{inFours(newKey.secret)}</code>
            <CopyButton
              text={newKey.secret}
              copy={() => copySecret(newKey.secret, desktop).then(() => undefined)}
              label="Copy the key"
            />
          </div>
        </div>
      </div>
      <TextField
        label="Code shown now"
        hint="Six digits. It proves that the authenticator has the key and that both clocks agree."
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={12}
        value={code}
        onChange={setCode}
      />
    </DialogForm>
  );
}

/** Groups of four are easier to read and type. */
function inFours(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
