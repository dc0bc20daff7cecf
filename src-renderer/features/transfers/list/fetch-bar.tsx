import styles from './fetch-bar.module.css';
import type { Progress } from '../../../words/fetch-words.ts';

export interface FetchBarProps {
  readonly progress: Progress;
  readonly label: string;
  readonly moving: boolean;
}

/** A thin bar with two layers: the bytes on disk, and over them those that are verified. */
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
      <div
        className={`${styles['fetched']} ${unknown ? `${styles['unknown']} sliding` : ''}`}
        style={unknown ? {} : upTo(fetched ?? 0)}
      />
      <div className={styles['verified']} style={upTo(verified)} />
    </div>
  );
}

/**
 * Scaled and without a transition, because a bar changes several times a second: a changed width
 * would cause a layout of the page each time, and a transition seven.
 */
function upTo(fraction: number): { readonly transform: string } {
  return { transform: `scaleX(${fraction})` };
}
