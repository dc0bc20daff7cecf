import { useContext, useState } from 'react';
import type { ErrorEvent } from '../../../api/requests/types.ts';
import { exactTime } from '../../../../src-shared/format/times.ts';
import { Unfolded } from '../../../ui/hooks/printing.ts';
import { requestOf } from './breadcrumb-request.ts';
import styles from './breadcrumbs.module.css';
import { offsetOf } from './event-times.ts';
import { lineText, shownText } from '../../../../src-shared/format/shown-text.ts';
import { LevelWord } from './status-words.tsx';
import { Values } from './values.tsx';

const order = ['debug', 'info', 'warning', 'error', 'fatal'];
const choices = [
  { least: 0, word: 'All levels' },
  { least: 1, word: 'Info and above' },
  { least: 2, word: 'Warnings and above' },
  { least: 3, word: 'Errors' },
];
const rank = (level: string | null): number =>
  Math.max(0, order.indexOf(level === 'critical' ? 'fatal' : level === 'warn' ? 'warning' : (level ?? 'info')));

/** The breadcrumbs of an event, the newest first. */
export function Breadcrumbs({ event }: { readonly event: ErrorEvent }) {
  const [least, setLeast] = useState(0);
  const unfolded = useContext(Unfolded);
  const shown = event.breadcrumbs.filter((crumb) => rank(crumb.level) >= least).toReversed();
  if (event.breadcrumbs.length === 0) return <p className={styles['none']}>This event has no breadcrumbs.</p>;
  return (
    <>
      <label className={styles['filter']}>
        <span className="visually-hidden">Level of breadcrumbs</span>
        <select value={least} onChange={(change) => setLeast(Number(change.target.value))}>
          {choices.map((choice) => (
            <option key={choice.least} value={choice.least}>
              {choice.word}
            </option>
          ))}
        </select>
      </label>
      {shown.length === 0 ? <p className={styles['none']}>No breadcrumb has this level.</p> : null}
      <ol className={styles['crumbs']}>
        {shown.map((crumb, position) => (
          // oxlint-disable-next-line react/no-array-index-key -- Breadcrumbs have no name; the list never changes.
          <li key={position}>
            <span className={styles['head']}>
              <span
                className={styles['offset']}
                title={crumb.timestamp === null ? 'No time was sent' : exactTime(crumb.timestamp)}
              >
                {offsetOf(crumb.timestamp, event.occurred_at)}
              </span>
              <LevelWord level={crumb.level ?? 'info'} />
              <bdi className={styles['category']}>{lineText(crumb.category ?? crumb.type ?? '', 80)}</bdi>
            </span>
            {requestOf(crumb) === null ? null : <p className={styles['request']}>{requestOf(crumb)}</p>}
            {crumb.message === null || crumb.message === '' ? null : (
              <p className={styles['message']} dir="auto">
                {shownText(crumb.message, 1000)}
              </p>
            )}
            {crumb.data === null || Object.keys(crumb.data).length === 0 ? null : (
              <details open={unfolded}>
                <summary>Data</summary>
                <Values values={Object.entries(crumb.data)} />
              </details>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
