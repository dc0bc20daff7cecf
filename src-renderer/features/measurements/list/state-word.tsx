import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import type { MeasurementSummary } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { countOf, fractionDone } from '../../../../src-shared/format/quantities.ts';
import styles from './state-word.module.css';

/** The state of a measurement: an icon and a word, never colour only. */
export function StateWord({
  measurement,
}: {
  readonly measurement: Pick<MeasurementSummary, 'id' | 'state' | 'problem_count'>;
}) {
  const { live } = useApp();
  const job = useStore(live, (state) =>
    measurement.state === 'registering'
      ? [...state.jobs.values()].find((one) => one.kind === 'register' && one.measurement_id === measurement.id)
      : undefined,
  );
  switch (measurement.state) {
    case 'available':
      return (
        <span className={styles['ok']}>
          <CircleCheck aria-hidden />
          available
        </span>
      );
    case 'degraded':
      return (
        <span
          className={styles['bad']}
          title={`${countOf(measurement.problem_count, 'file')} altered, missing or unreadable`}
        >
          <TriangleAlert aria-hidden />
          degraded{measurement.problem_count > 0 ? `, ${countOf(measurement.problem_count, 'file')}` : ''}
        </span>
      );
    case 'registering':
      return (
        <span className={styles['busy']}>
          <LoaderCircle aria-hidden />
          registering{job === undefined ? '' : ` ${Math.floor(fractionDone(job) * 100)} %`}
        </span>
      );
  }
}
