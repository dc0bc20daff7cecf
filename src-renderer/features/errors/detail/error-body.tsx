import type { ErrorDetail, ErrorEventPage } from '../../../api/requests/types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Note } from '../../../ui/notes/note.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { usePrinting } from '../../../ui/hooks/printing.ts';
import { useMedia } from '../../../ui/hooks/use-media.ts';
import styles from './error-detail.module.css';
import type { ErrorDetailProps } from './error-detail-props.ts';
import { ErrorFacts } from './error-facts.tsx';
import { EventTabs } from './event-tabs.tsx';
import { EventWalk } from './event-walk.tsx';
import { Overview } from './overview.tsx';
import { PrintedError } from './printed-error.tsx';

interface EventQuery {
  readonly data: ErrorEventPage | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
}

interface ErrorBodyProps extends ErrorDetailProps {
  readonly error: ErrorDetail;
  readonly page: EventQuery;
  readonly address: string;
}

/** Wide enough for the stack and the overview side by side. */
const twoColumnsQuery = '(width >= 1200px)';

/** The error below its heading: facts, overview, and one event. */
export function ErrorBody({ project, wide, error, event, page, address, onEvent, onQuery, onDelete }: ErrorBodyProps) {
  const roomy = useMedia(twoColumnsQuery);
  const twoColumns = wide && roomy;
  const printing = usePrinting();
  const shown = page.data?.event;
  return (
    <div
      className={`${styles['detail']} ${twoColumns ? styles['columns'] : ''}`}
      role="group"
      aria-label="The error"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrolling region must be reachable by keyboard.
      tabIndex={0}
    >
      <ErrorFacts error={error} onDelete={onDelete} />
      {twoColumns ? (
        <div className={styles['side']} role="group" aria-label="Overview">
          <Overview project={project} error={error} onQuery={onQuery} />
        </div>
      ) : null}
      <EventWalk page={page.data ?? null} event={event} onEvent={onEvent} />
      <ProblemNote
        error={page.error}
        action={
          event === 'latest' ? undefined : <Button onClick={() => onEvent('latest')}>Show the latest event</Button>
        }
        className="padded"
      />
      {shown?.shortened === true ? (
        <div className="padded">
          <Note kind="info">Parts of this event were cut because they exceed the limits.</Note>
        </div>
      ) : null}
      <EventTabs
        project={project}
        error={error}
        shown={shown}
        busy={page.isPlaceholderData}
        address={address}
        twoColumns={twoColumns}
        onQuery={onQuery}
      />
      {printing && shown !== undefined ? (
        <PrintedError project={project} error={error} event={shown} address={address} />
      ) : null}
    </div>
  );
}
