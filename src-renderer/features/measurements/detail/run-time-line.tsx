import { formatStep } from '../../../../src-shared/format/time-ranges.ts';
import type { RunErrors, RunWindow } from '../../../api/requests/types.ts';
import { AxisChart } from '../../../ui/figures/axis-chart.tsx';
import styles from './errors-tab.module.css';

const dayMs = 86_400_000;
const maxTicks = 5;

/** The events over the window of a measurement, with the first and the last of its files. */
export function RunTimeLine({
  steps,
  step_seconds: seconds,
  window,
}: Pick<RunErrors, 'steps' | 'step_seconds'> & { readonly window: RunWindow }) {
  const from = new Date(window.from).getTime();
  const isLong = new Date(window.until).getTime() - from > dayMs;
  const at = (position: number): string => formatStep(from + position * seconds * 1000, seconds, isLong);
  const positionOf = (time: string): number => (new Date(time).getTime() - from) / (seconds * 1000);
  const every = Math.ceil(steps.length / maxTicks);
  const ticks = steps
    .map((_events, position) => position)
    .filter((position) => position % every === 0)
    .map((position) => ({ position, word: tickOf(from + position * seconds * 1000, isLong) }));
  return (
    <div className={styles['chart']}>
      <AxisChart
        counts={steps}
        label="Events while it was taken"
        at={at}
        height={56}
        ticks={ticks}
        marks={[
          { position: positionOf(window.began_at), word: 'First modification of a file' },
          { position: positionOf(window.ended_at), word: 'Last modification of a file' },
        ]}
      />
    </div>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

function tickOf(time: number, isLong: boolean): string {
  return (isLong ? day : clock).format(time);
}
