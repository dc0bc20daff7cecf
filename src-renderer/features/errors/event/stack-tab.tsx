import { useContext, useState } from 'react';
import type { ErrorEvent, ErrorException, StackFrame } from '../../../api/requests/types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { Unfolded } from '../../../ui/hooks/printing.ts';
import { eventLink } from '../search/errors-search.ts';
import { Frame } from './frame.tsx';
import { lineText, shownText } from '../../../../src-shared/format/shown-text.ts';
import { markdownOf, stackText, threadName } from './stack-text.ts';
import styles from './stack-tab.module.css';

const maxFrames = 60;

interface How {
  readonly newestFirst: boolean;
  readonly all: boolean;
}

/** The exceptions of an event and their causes, frame by frame, and its threads. */
export function StackTab({
  title,
  event,
  address,
}: {
  readonly title: string;
  readonly event: ErrorEvent;
  readonly address: string;
}) {
  const unfolded = useContext(Unfolded);
  const [how, setHow] = useState<How>({ newestFirst: true, all: unfolded });
  const { exceptions, threads, message } = event;
  const link = eventLink(address, event.event_id);
  const chain = how.newestFirst ? exceptions.toReversed() : exceptions;
  const frames = [...exceptions, ...threads].flatMap((one) => one.frames);
  const mixed = frames.some((frame) => frame.in_app) && frames.some((frame) => !frame.in_app);
  return (
    <div className="stack">
      <div className={styles['tools']}>
        <Pair
          label="Order of frames"
          first="Newest first"
          second="Oldest first"
          isFirst={how.newestFirst}
          onFirst={(newestFirst) => setHow({ ...how, newestFirst })}
        />
        {mixed ? (
          <Pair
            label="Which frames"
            first="In app"
            second="All"
            isFirst={!how.all}
            onFirst={(inApp) => setHow({ ...how, all: !inApp })}
          />
        ) : null}
        <span className={styles['copies']}>
          <CopyButton text={stackText(event)} label="Copy the stack as text" word="Copy text" />
          <CopyButton text={markdownOf(title, event, link)} label="Copy the event as Markdown" word="Copy Markdown" />
        </span>
      </div>
      {message !== null && exceptions.length === 0 ? (
        <p className={styles['message']} dir="auto">
          {shownText(message.formatted)}
        </p>
      ) : null}
      {chain.map((exception, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- The chain of an event never changes.
        <Exception
          key={`${how.newestFirst} ${position}`}
          exception={exception}
          platform={event.platform}
          how={how}
          cause={how.newestFirst ? position > 0 : position < chain.length - 1}
        />
      ))}
      {threads.map((thread, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- The threads of an event never change.
        <details
          key={position}
          className={styles['thread']}
          open={unfolded || (exceptions.length === 0 && (thread.crashed || threads.length === 1))}
        >
          <summary>
            {threadName(thread) === null ? (thread.current ? 'Current thread' : 'Thread without a name') : 'Thread '}
            <bdi>{threadName(thread)}</bdi>
            {thread.crashed ? ', crashed' : ''}
            {thread.current && threadName(thread) !== null ? ', current' : ''}
            <span className={styles['quiet']}>{countOf(thread.frames.length, 'frame')}</span>
          </summary>
          <Frames frames={thread.frames} how={how} platform={event.platform} />
        </details>
      ))}
      {exceptions.length === 0 && threads.length === 0 && message === null ? (
        <p className={styles['quiet']}>This event has no stack trace.</p>
      ) : null}
    </div>
  );
}

interface ExceptionProps {
  readonly exception: ErrorException;
  /** The event's language, for files whose name does not show one. */
  readonly platform: string;
  readonly how: How;
  readonly cause: boolean;
}

function Exception({ exception, platform, how, cause }: ExceptionProps) {
  return (
    <section className={styles['exception']}>
      <h3 dir="auto">
        {cause ? <span className={styles['quiet']}>Caused by </span> : null}
        {lineText(exception.type ?? 'Error')}
        {exception.handled === false ? <span className={styles['badge']}>unhandled</span> : null}
      </h3>
      {exception.value === null || exception.value === '' ? null : (
        <p className={styles['message']} dir="auto">
          {shownText(exception.value, 2000)}
        </p>
      )}
      {exception.module === null ? null : (
        <p className={styles['quiet']}>
          <bdi className="mono">{lineText(exception.module)}</bdi>
        </p>
      )}
      <Frames frames={exception.frames} how={how} platform={platform} />
    </section>
  );
}

function Frames({
  frames,
  how,
  platform,
}: {
  readonly frames: readonly StackFrame[];
  readonly how: How;
  readonly platform: string;
}) {
  const [many, setMany] = useState(useContext(Unfolded));
  const newest = frames.findLast((frame) => frame.in_app) ?? frames.at(-1);
  const inApp = frames.filter((frame) => frame.in_app);
  // A stack without frames of the application shows all frames, because it would be empty
  // otherwise.
  const wanted = how.all || inApp.length === 0 ? frames : inApp;
  const ordered = how.newestFirst ? wanted.toReversed() : wanted;
  const shown = many ? ordered : ordered.slice(0, maxFrames);
  if (frames.length === 0) return null;
  return (
    <>
      <ol className={styles['frames']}>
        {shown.map((frame, position) => (
          // oxlint-disable-next-line react/no-array-index-key -- The frames of a stack never change; a switch makes them anew.
          <Frame
            key={`${how.newestFirst} ${how.all} ${position}`}
            frame={frame}
            platform={platform}
            open={frame === newest}
          />
        ))}
      </ol>
      {ordered.length > shown.length ? (
        <Button onClick={() => setMany(true)}>Show all {countOf(ordered.length, 'frame')}</Button>
      ) : null}
      {wanted.length < frames.length ? (
        <p className={styles['quiet']}>{countOf(frames.length - wanted.length, 'frame')} of libraries left out</p>
      ) : null}
    </>
  );
}

interface PairProps {
  readonly label: string;
  readonly first: string;
  readonly second: string;
  readonly isFirst: boolean;
  readonly onFirst: (first: boolean) => void;
}

/** One of two. */
function Pair({ label, first, second, isFirst, onFirst }: PairProps) {
  return (
    <span className={styles['pair']} role="group" aria-label={label}>
      <button type="button" aria-pressed={isFirst} onClick={() => onFirst(true)}>
        {first}
      </button>
      <button type="button" aria-pressed={!isFirst} onClick={() => onFirst(false)}>
        {second}
      </button>
    </span>
  );
}
