import styles from './progress-bar.module.css';

/** A thin bar. Without a fraction the amount of work is unknown. */
export function ProgressBar({
  fraction,
  label,
  paused = false,
}: {
  readonly fraction: number | null;
  readonly label: string;
  readonly paused?: boolean;
}) {
  const look = fraction === null ? `${styles['unknown']} ${paused ? '' : 'sliding'}` : '';
  return (
    <div
      role="progressbar"
      aria-label={label}
      className={styles['track']}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(fraction === null ? {} : { 'aria-valuenow': Math.floor(fraction * 100) })}
    >
      <div
        className={`${styles['bar']} ${look} ${paused ? styles['paused'] : ''}`}
        style={fraction === null ? {} : { transform: `scaleX(${fraction})` }}
      />
    </div>
  );
}
