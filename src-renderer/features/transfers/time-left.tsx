import { useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { useApp } from '../../context/context.ts';
import { countOf, formatCount } from '../../../src-shared/format/quantities.ts';
import { formatDuration } from '../../../src-shared/format/times.ts';

/**
 * Number of remaining transfers, and their duration at the current rate; a lower bound where sizes
 * are unknown.
 */
export function TimeLeft() {
  const { live, queries } = useApp();
  const { seconds_left: seconds, unknown_sizes: unknown } = useStore(live, (state) => state.incoming);
  const active = useQuery(queries.fetchCounts()).data?.active ?? 0;
  const why =
    unknown === 0 ? undefined : `Without ${countOf(unknown, 'transfer')} whose size is not known before it begins`;
  return (
    <span title={seconds === null ? undefined : why}>
      {formatCount(active)} left
      {seconds === null ? '' : `, ${unknown > 0 ? 'at least ' : ''}${formatDuration(seconds)}`}
    </span>
  );
}
