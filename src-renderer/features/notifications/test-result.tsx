import { CircleCheck } from 'lucide-react';
import type { NotificationTest } from '../../api/requests/types.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import styles from './test-result.module.css';

/** How a test message was sent, with the dialogue. */
export function TestResult({
  result: { sent, message, dialogue },
  other,
}: {
  readonly result: NotificationTest;
  /** Who answers, such as `the mail server`. */
  readonly other: string;
}) {
  return (
    <div className="stack">
      <div role="status">
        {sent ? (
          <StatusWord tone="ok" icon={CircleCheck} word={plainText(message)} />
        ) : (
          <Note kind="bad">
            <p className="breakable">{plainText(message)}</p>
          </Note>
        )}
      </div>
      {dialogue.length === 0 ? null : (
        <div className={styles['place']}>
          <div className={styles['head']}>
            <span className="remark">C: this service, S: {other}</span>
            <CopyButton text={dialogue.join('\n')} label="Copy the dialogue" small />
          </div>
          <ScrollRegion label="Dialogue" className={styles['dialogue']}>
            {dialogue.map((line, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- Lines repeat, and the list never changes.
              <p key={index} className={line.startsWith('S:') ? styles['answer'] : ''}>
                {plainText(line)}
              </p>
            ))}
          </ScrollRegion>
        </div>
      )}
    </div>
  );
}
