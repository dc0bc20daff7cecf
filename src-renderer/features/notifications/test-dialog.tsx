import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { ProgressBar } from '../../ui/notes/progress-bar.tsx';
import { NoMailServer } from './dialog/no-mail-server.tsx';
import { TestResult } from './test-result.tsx';
import type { RuleTest } from './use-rule-test.ts';

interface TestDialogProps {
  readonly test: RuleTest | null;
  /** Undefined until it is known. */
  readonly hasMailServer: boolean | undefined;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/** A test message of a rule: that it is on its way, then the dialogue with whoever takes it. */
export function TestDialog({ test, hasMailServer, onAgain, onClose }: TestDialogProps) {
  const isBusy = test !== null && test.result === null && test.failure === null;
  return (
    <Dialog
      open={test !== null}
      onClose={onClose}
      title={`Test of ${test?.rule.name ?? ''}`}
      width="wide"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" busy={isBusy} onClick={onAgain}>
            Send again
          </Button>
        </>
      }
    >
      {test === null ? null : (
        <div className="stack">
          <p className="breakable">
            A test message to <code>{test.rule.to}</code>
          </p>
          {isBusy ? <ProgressBar fraction={null} label="Sending the test message" /> : null}
          {test.result === null ? null : (
            <TestResult
              result={test.result}
              other={test.rule.channel === 'mail' ? 'the mail server' : 'the receiver'}
            />
          )}
          {test.result?.sent === false && test.rule.channel === 'mail' && hasMailServer === false ? (
            <NoMailServer />
          ) : null}
          <ProblemNote error={test.failure} />
        </div>
      )}
    </Dialog>
  );
}
