import { useQuery } from '@tanstack/react-query';
import type { CreatedToken } from '../../api/types.ts';
import { useApp } from '../../app/context.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { curlRead, readTokenLine } from '../../ui/format/commands.ts';
import { Note } from '../../ui/note.tsx';
import styles from './token-secret.module.css';

/** The secret, this once, with the commands that use it beside it. */
export function TokenSecret({ token, onSaved }: { readonly token: CreatedToken; readonly onSaved: () => void }) {
  const { queries } = useApp();
  const service = useQuery(queries.service());
  const base = service.data?.base_url ?? window.location.origin;
  const command = `${readTokenLine}\n${curlRead(`${base.replace(/\/$/, '')}/api/v4/measurements`)}`;
  return (
    <div className="stack">
      <Note kind="warn">It is shown only now. Benchport keeps a fingerprint of it, not the token itself.</Note>
      <div className={styles['secret']}>
        <code data-testid="secret">{token.token}</code>
        <CopyButton text={token.token} label="Copy the token" word="Copy" />
      </div>
      <div className={styles['try']}>
        <p>Try it: the first line asks for the token without showing it, the second lists what it can read.</p>
        <div className={styles['command']}>
          <pre>{command}</pre>
          <CopyButton text={command} label="Copy the commands" />
        </div>
      </div>
      <div className="buttons">
        <Button look="primary" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
    </div>
  );
}
