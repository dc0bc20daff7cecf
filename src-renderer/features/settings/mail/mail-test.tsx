import { Send } from 'lucide-react';
import { useState } from 'react';
import type { NotificationTest } from '../../../api/requests/types.ts';
import { useApp, useSession } from '../../../context/context.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import styles from '../settings-screen.module.css';
import { TestResult } from '../../notifications/test-result.tsx';

/** Sends a mail by the saved server, and shows the dialogue. */
export function MailTest() {
  const { actions } = useApp();
  const [to, setTo] = useState(useSession().user?.email ?? '');
  const [result, setResult] = useState<NotificationTest | null>(null);
  const { busy, failure, submit } = useSubmit(async () => {
    setResult(null);
    setResult(await actions.testMailServer(to.trim()));
  });
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(to.trim());
  return (
    <form
      className={`stack ${styles['apart']}`}
      aria-label="Test of the mail server"
      onSubmit={(event) => {
        event.preventDefault();
        if (isAddress) submit();
      }}
    >
      <TextField
        label="Send a test to"
        hint="By the server as it was saved."
        error={to.trim() === '' || isAddress ? null : 'An address such as alice@lab.example.'}
        inputMode="email"
        spellCheck={false}
        maxLength={320}
        value={to}
        onChange={setTo}
      />
      <div className="row">
        <Button type="submit" icon={<Send aria-hidden />} busy={busy} disabled={!isAddress}>
          Send a test
        </Button>
      </div>
      <ProblemNote error={failure} />
      {result === null ? null : <TestResult result={result} other="the mail server" />}
    </form>
  );
}
