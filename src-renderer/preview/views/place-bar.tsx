import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useUnits } from '../../context/context.ts';
import { formatBytes } from '../../../src-shared/format/quantities.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import styles from './views.module.css';

export interface PlaceBarProps {
  /** All in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly before: number | null;
  readonly next: number | null;
  readonly onChange: (offset: number) => void;
}

const steps = 1000;

/** Chooses a place in a file: the part before, the part after, or anywhere. */
export function PlaceBar({ offset, length, before, next, onChange }: PlaceBarProps) {
  const units = useUnits();
  if (length === 0 || (before === null && next === null && offset === 0)) return null;
  return (
    <div className={styles['bar']}>
      <IconButton
        label="The part before"
        icon={<ChevronLeft />}
        disabled={before === null}
        onClick={() => onChange(before ?? 0)}
      />
      <input
        type="range"
        aria-label="Place in the file"
        aria-valuetext={`${formatBytes(offset, units)} of ${formatBytes(length, units)}`}
        min={0}
        max={steps}
        value={Math.round((offset / length) * steps)}
        onChange={(event) => onChange(Math.min(length - 1, Math.floor((Number(event.target.value) / steps) * length)))}
      />
      <IconButton
        label="The part after"
        icon={<ChevronRight />}
        disabled={next === null}
        onClick={() => onChange(next ?? 0)}
      />
    </div>
  );
}
