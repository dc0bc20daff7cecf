import styles from './skeleton.module.css';

/** Widths of the bars of a row, in per cent: uneven, as text is. */
const widths = [
  [26, 14, 9],
  [19, 18, 7],
  [31, 11, 9],
  [22, 16, 6],
  [28, 13, 8],
  [17, 19, 7],
] as const;

/** Placeholder for rows that are loading. */
export function Skeleton({ rows = widths.length }: { readonly rows?: number }) {
  return (
    <div className={styles['skeleton']} role="status" aria-busy>
      <span className="visually-hidden">Loading</span>
      {widths.slice(0, rows).map((bars) => (
        <div key={bars[0]} className={styles['row']} aria-hidden>
          {bars.map((width) => (
            <span key={width} className={styles['bar']} style={{ width: `${width}%` }} />
          ))}
        </div>
      ))}
    </div>
  );
}
