import { useState, type ReactNode } from 'react';
import { useApp } from '../../context/context.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { copySecret } from '../controls/copy-secret.ts';
import { DialogFoot } from './dialog-foot.tsx';
import { Note } from '../notes/note.tsx';
import styles from './secret-once.module.css';
import { useTakeFocus } from '../hooks/use-take-focus.ts';

export interface SecretOnceProps {
  readonly secret: string;
  /** The kind of secret, as in `Copy the token`. */
  readonly what: string;
  /** Whether Benchport itself uses the secret, and so keeps it encrypted instead of a fingerprint. */
  readonly isSealed?: boolean;
  /** Commands that use the secret, or other content below it. */
  readonly children?: ReactNode;
  readonly onSaved: () => void;
}

/** A secret that is shown once, until the user confirms that it is saved. */
export function SecretOnce({ secret, what, isSealed = false, children, onSaved }: SecretOnceProps) {
  const { desktop } = useApp();
  const [copied, setCopied] = useState<'no' | 'for-a-minute' | 'for-good'>('no');
  const copy = async (): Promise<void> => setCopied((await copySecret(secret, desktop)) ? 'for-a-minute' : 'for-good');
  const place = useTakeFocus<HTMLDivElement>();
  return (
    <div className="stack">
      <Note kind="warn">
        The {what} is shown only now:{' '}
        {isSealed
          ? 'Benchport keeps it encrypted, to use it, and does not show it again.'
          : 'Benchport stores just a fingerprint of it and cannot show it again.'}
      </Note>
      <div className={styles['place']}>
        <div className={styles['secret']} ref={place}>
          <code
            data-testid="secret"
            onCopy={(event) => {
              event.preventDefault();
              void copy();
            }}
          >
            {secret}
          </code>
          <CopyButton text={secret} copy={copy} label={`Copy the ${what}`} word="Copy" />
        </div>
        <p className={styles['hint']} role="status">
          {copied === 'no'
            ? ''
            : copied === 'for-a-minute'
              ? `It leaves the clipboard after a minute.`
              : `It stays on the clipboard until you copy something else.`}
        </p>
      </div>
      {children}
      <DialogFoot>
        <Button look="primary" onClick={onSaved}>
          I have saved it
        </Button>
      </DialogFoot>
    </div>
  );
}
