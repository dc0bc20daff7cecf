import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import longText from '../../../ui/styles/long-text.module.css';
import { saveText } from '../../../ui/controls/save-text.ts';
import styles from './error-detail.module.css';
import { escapeJson, shownText } from '../../../../src-shared/format/shown-text.ts';

/** More would make the page slow; the file has everything. */
const maxShown = 200_000;

/** An event as JSON, to read, to copy and to save. */
export function RawEvent({
  projectId,
  errorId,
  eventId,
}: {
  readonly projectId: number;
  readonly errorId: string;
  readonly eventId: string;
}) {
  const { queries } = useApp();
  const { data, error } = useQuery(queries.rawEvent(projectId, errorId, eventId));
  if (error !== null) return <ProblemNote error={error} />;
  if (data === undefined) return null;
  const text = escapeJson(data);
  return (
    <div className={styles['parts']}>
      <div className="row middle">
        <CopyButton text={text} label="Copy the event as JSON" word="Copy" />
        <Button icon={<Download aria-hidden />} onClick={() => saveText(`event-${eventId}.json`, data)}>
          Download
        </Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrolling region must be reachable by keyboard. */}
      <pre className={longText['text']} tabIndex={0} role="group" aria-label="The event as JSON">
        {shownText(text, maxShown)}
      </pre>
    </div>
  );
}
