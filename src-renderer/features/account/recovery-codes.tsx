import { Download } from 'lucide-react';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { copySecret } from '../../ui/controls/copy-secret.ts';
import { DialogFoot } from '../../ui/dialogs/dialog-foot.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { saveText } from '../../ui/controls/save-text.ts';
import styles from './recovery-codes.module.css';

export interface RecoveryCodesDialogProps {
  readonly codes: readonly string[] | null;
  readonly username: string;
  readonly onSaved: () => void;
}

/** The recovery codes, shown once, until the user confirms that they are saved. */
export function RecoveryCodesDialog({ codes, username, onSaved }: RecoveryCodesDialogProps) {
  return (
    <Dialog open={codes !== null} onClose={onSaved} title="Save your recovery codes" mustAnswer>
      {codes === null ? null : <Codes codes={codes} username={username} onSaved={onSaved} />}
    </Dialog>
  );
}

function Codes({
  codes,
  username,
  onSaved,
}: {
  readonly codes: readonly string[];
  readonly username: string;
  readonly onSaved: () => void;
}) {
  const { desktop } = useApp();
  const lines = `${codes.join('\n')}\n`;
  const file = `Recovery codes of ${username} at ${window.location.host === 'local' ? 'Benchport' : window.location.host}\nEach works once, instead of a code from the authenticator.\n\n${lines}`;
  return (
    <div className="stack">
      <Note kind="warn">
        They are shown only now. Each signs you in once when your phone is not at hand, so keep them away from it.
      </Note>
      <ul className={styles['codes']} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <DialogFoot>
        <CopyButton
          text={lines}
          copy={() => copySecret(lines, desktop).then(() => undefined)}
          label="Copy the recovery codes"
          word="Copy"
        />
        <Button
          icon={<Download aria-hidden />}
          onClick={() => saveText(`benchport-recovery-codes-${username}.txt`, file)}
        >
          Download
        </Button>
        <Button look="primary" onClick={onSaved}>
          I have saved them
        </Button>
      </DialogFoot>
    </div>
  );
}
