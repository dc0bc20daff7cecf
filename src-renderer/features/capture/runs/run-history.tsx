import { useQuery } from '@tanstack/react-query';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { formatDuration } from '../../../../src-shared/format/times.ts';
import type { CaptureHistory, CaptureRun } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import facts from '../../../ui/styles/facts.module.css';
import { whyOf } from '../../../words/capture-words.ts';
import { RunState } from '../states/state-look.tsx';
import styles from './run-row.module.css';

/** When a run was seen and changed, and what happened to it. */
export function RunHistory({ id, run }: { readonly id: string; readonly run: CaptureRun }) {
  const { queries } = useApp();
  const history = useQuery(queries.captureHistory(run.id));
  return (
    <div id={id} className={styles['history']}>
      <dl className={facts['plain']}>
        <dt>First seen</dt>
        <dd>
          <Moment at={run.first_seen_at} />
        </dd>
        <dt>Last change</dt>
        <dd>
          <Moment at={run.changed_at} />
        </dd>
        <dt>Complete</dt>
        <dd>
          <Moment at={run.ready_at} none="not yet" />
        </dd>
        {run.longest_gap_seconds === 0 ? null : (
          <>
            <dt>Longest pause between changes</dt>
            <dd className="digits">{formatDuration(run.longest_gap_seconds)}</dd>
          </>
        )}
      </dl>
      <NotLoaded of={history} />
      {history.data === undefined ? null : <Events history={history.data} />}
    </div>
  );
}

function Events({ history }: { readonly history: CaptureHistory }) {
  if (history.length === 0) return <p className="muted">Nothing has happened to it yet.</p>;
  return (
    <ul aria-label="History" className={styles['events']}>
      {history.map(({ at, state, ...about }) => {
        const why = whyOf(about);
        return (
          <li key={`${at} ${state}`} className={styles['event']}>
            <span className={styles['when']}>
              <Moment at={at} />
            </span>
            <span className={styles['what']}>
              <RunState state={state} />
              {why === null ? null : <span className={`remark breakable ${styles['why']}`}>{plainText(why)}</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
