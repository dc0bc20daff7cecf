import { memo } from 'react';
import { countOf } from '../../../src-shared/format/quantities.ts';
import styles from './bars.module.css';

export interface BarsProps {
  readonly counts: readonly number[];
  /** Label of the chart, such as `Last 24 hours`. */
  readonly label: string;
  /** The time of the bar at a position. */
  readonly at: (position: number) => string;
  readonly height: number;
  /** Bars before which something began, with a description of it. */
  readonly marks?: readonly { readonly position: number; readonly word: string }[];
}

const step = 10;

/** Small bars: each shows its exact count on hover, and a text has all of them. */
export const Bars = memo(function Bars({ counts, label, at, height, marks = [] }: BarsProps) {
  const most = Math.max(1, ...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const highest = counts.indexOf(most);
  const words = `${label}: ${countOf(total, 'event')}${highest === -1 ? '' : `, most ${at(highest)} with ${most}`}`;
  return (
    <svg
      className={styles['bars']}
      viewBox={`0 0 ${counts.length * step} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      {counts.map((count, position) => {
        // One event among thousands must still be visible.
        const tall = count === 0 ? 1 : Math.max(2, (count / most) * (height - 1));
        return (
          // oxlint-disable-next-line react/no-array-index-key -- A bar is its position.
          <g key={position}>
            <title>{`${at(position)}: ${countOf(count, 'event')}`}</title>
            <rect className={styles['hit']} x={position * step} y={0} width={step} height={height} />
            <rect
              className={count === 0 ? styles['none'] : styles['some']}
              x={position * step + 1}
              y={height - tall}
              width={step - 2}
              height={tall}
            />
          </g>
        );
      })}
      {marks.map(({ position, word }) => (
        <g key={`${position} ${word}`}>
          <title>{word}</title>
          <line
            className={styles['mark']}
            x1={position * step}
            x2={position * step}
            y1={0}
            y2={height}
            vectorEffect="non-scaling-stroke"
          />
        </g>
      ))}
    </svg>
  );
});
