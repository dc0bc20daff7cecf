import { formatCount } from '../../../src-shared/format/quantities.ts';
import { Bars, type BarsProps } from './bars.tsx';
import styles from './axis-chart.module.css';

export interface AxisChartProps extends BarsProps {
  /** Words below the chart, each where its bar begins. */
  readonly ticks: readonly { readonly position: number; readonly word: string }[];
}

/** A word that began further right would be cut. */
const lastWordWithin = 0.92;

/**
 * Bars with the highest count beside them and times below. The axes are hidden from screen readers,
 * which get them with the bars.
 */
export function AxisChart({ ticks, ...bars }: AxisChartProps) {
  const { counts, height } = bars;
  const highest = Math.max(0, ...counts);
  return (
    <div className={styles['chart']}>
      <div className={styles['scale']} style={{ height }} aria-hidden>
        <span>{formatCount(highest)}</span>
        <span>0</span>
      </div>
      <div className={styles['plot']}>
        <Bars {...bars} />
        <div className={styles['ticks']} aria-hidden>
          {ticks.map(({ position, word }) => (
            <span key={position} style={{ left: `${(position / counts.length) * 100}%` }}>
              {position < counts.length * lastWordWithin ? word : null}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}
