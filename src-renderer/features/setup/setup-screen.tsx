import { useEffect, useRef, useState } from 'react';
import type { Session } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Mark } from '../../ui/figures/mark.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { minPasswordLength, problemOfUsername } from '../users/credential-rules.ts';
import { useSubmit } from '../../ui/hooks/use-submit.ts';
import styles from './setup-screen.module.css';
import { TextField, PasswordField } from '../../ui/controls/text-field.tsx';

export interface SetupScreenProps {
  readonly session: Session;
  /** The code that a headless service prints at its first start. */
  readonly code: string | null;
  readonly onDone: (session: Session) => void;
}

/** First run: creates the account that owns this installation. */
export function SetupScreen({ session, code, onDone }: SetupScreenProps) {
  const { actions } = useApp();
  const inWindow = session.door === 'window';
  const [username, setUsername] = useState(session.suggested_username);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.select(), []);
  const badName = problemOfUsername(username);
  const badPassword = inWindow
    ? null
    : password === ''
      ? 'A password is needed to sign in from a browser.'
      : password.length < minPasswordLength
        ? `At least ${minPasswordLength} characters.`
        : null;

  const { busy, failure, submit } = useSubmit(async () => {
    const account = { username, name: name.trim() === '' ? username : name.trim(), ...(inWindow ? {} : { password }) };
    onDone(await actions.setUp(account, code));
  });
  const create = (): void => {
    setTried(true);
    if (badName === null && badPassword === null) submit();
  };

  if (!inWindow && (code === null || code === '')) {
    return (
      <main className={styles['page']}>
        <div className={styles['card']}>
          <Heading />
          <Note kind="info">
            <p>
              This service has no account yet. Open the link that it printed when it started; it contains a code that
              proves that you started it.
            </p>
          </Note>
        </div>
      </main>
    );
  }
  return (
    <main className={styles['page']}>
      <form
        ref={form}
        className={styles['card']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <Heading />
        <p className="muted">
          Your account owns this installation: its measurements, its tokens, and who may read what.
        </p>
        <TextField
          label="User name"
          error={tried ? badName : null}
          required
          autoComplete="username"
          spellCheck={false}
          maxLength={255}
          value={username}
          onChange={setUsername}
        />
        <TextField
          label="Full name"
          autoComplete="name"
          maxLength={255}
          placeholder={username}
          value={name}
          onChange={setName}
        />
        {inWindow ? null : (
          <PasswordField
            isNew
            label="Password"
            error={tried ? badPassword : null}
            hint={`At least ${minPasswordLength} characters.`}
            required
            value={password}
            onChange={setPassword}
          />
        )}
        <ProblemNote error={failure} />
        <div className="buttons">
          <Button look="primary" type="submit" busy={busy}>
            Create account
          </Button>
        </div>
      </form>
    </main>
  );
}

function Heading() {
  return (
    <div className={styles['heading']}>
      <Mark size={32} />
      <h1>Set up Benchport</h1>
    </div>
  );
}
