import styles from './fetch-bar.module.css';
import type { Progress } from './fetch-words.ts';

export interface FetchBarProps {
  readonly progress: Progress;
  readonly label: string;
  readonly moving: boolean;
}

/** A thin bar with two layers: what is on the disk, and over it what of that is proven. */
export function FetchBar({ progress, label, moving }: FetchBarProps) {
  const { fetched, verified, percent } = progress;
  const unknown = fetched === null && moving;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      className={`${styles['track']} ${moving ? '' : styles['still']}`}
      {...(percent === null ? {} : { 'aria-valuenow': percent })}
    >
      <div className={`${styles['fetched']} ${unknown ? styles['unknown'] : ''}`} style={{ width: `${(fetched ?? (unknown ? 0.3 : 0)) * 100}%` }} />
      <div className={styles['verified']} style={{ width: `${verified * 100}%` }} />
    </div>
  );
}
