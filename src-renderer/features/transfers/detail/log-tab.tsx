import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { Fetch } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { exactTime } from '../../../../src-shared/format/times.ts';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import styles from './transfer-detail.module.css';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const levels = { info: null, warn: 'Warning: ', error: 'Error: ' } as const;

function timeOf(at: string): string {
  const date = new Date(at);
  return (date.toDateString() === new Date().toDateString() ? clock : dayAndClock).format(date);
}

/** The log of a transfer, the newest entry first. */
export function LogTab({ fetch }: { readonly fetch: Fetch }) {
  const { queries } = useApp();
  const { data, error, refetch } = useQuery(queries.fetchLog(fetch.id, fetch.state === 'running'));
  if (data === undefined) return <NotLoaded of={{ data, error, refetch }} className="padded" />;
  if (data.length === 0) return <EmptyState title="Nothing has happened yet." />;
  return (
    <ScrollRegion className={styles['body']} label="Log">
      <div className={styles['log']}>
        {data
          .toSorted((one, other) => other.id - one.id)
          .map((line) => (
            <Fragment key={line.id}>
              <time dateTime={line.at} title={exactTime(line.at)}>
                {timeOf(line.at)}
              </time>
              <p className={styles[line.level] ?? ''}>
                {levels[line.level] === null ? null : <span className="visually-hidden">{levels[line.level]}</span>}
                {line.message}
              </p>
            </Fragment>
          ))}
      </div>
    </ScrollRegion>
  );
}
