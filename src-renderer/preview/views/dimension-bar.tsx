import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import field from '../../ui/controls/field.module.css';
import styles from './views.module.css';

export interface DimensionBarProps {
  /** Number of the dimension, from 1. */
  readonly dimension: number;
  readonly length: number;
  /** From 0. */
  readonly place: number;
  /** @param bySlider whether it may change again at once. */
  readonly onChange: (place: number, bySlider: boolean) => void;
}

/** Chooses a place in a dimension: roughly, by its number, or the one before and after. */
export function DimensionBar({ dimension, length, place, onChange }: DimensionBarProps) {
  // Null shows the number that is chosen, also where it was chosen otherwise.
  const [draft, setDraft] = useState<string | null>(null);
  const typed = draft === null ? place : placeOf(draft, length);
  const type = (text: string): void => {
    setDraft(text);
    const wanted = placeOf(text, length);
    if (wanted !== null) onChange(wanted, false);
  };
  const choose = (wanted: number, bySlider = false): void => {
    setDraft(null);
    onChange(wanted, bySlider);
  };
  return (
    <div className={styles['dimension']}>
      <label className={styles['slider']}>
        <span>
          Dimension {dimension}: {formatCount(place + 1)} of {formatCount(length)}
        </span>
        <input
          type="range"
          min={0}
          max={length - 1}
          value={place}
          onChange={(event) => choose(Number(event.target.value), true)}
        />
      </label>
      {length === 1 ? null : (
        <div className={styles['steps']}>
          <IconButton
            label={`The one before in dimension ${dimension}`}
            icon={<ChevronLeft />}
            disabled={place === 0}
            onClick={() => choose(place - 1)}
          />
          <input
            className={field['input']}
            inputMode="numeric"
            maxLength={15}
            aria-label={`Number in dimension ${dimension}`}
            aria-invalid={typed === null}
            value={draft ?? String(place + 1)}
            onChange={(event) => type(event.target.value)}
            onBlur={() => setDraft(null)}
          />
          <IconButton
            label={`The one after in dimension ${dimension}`}
            icon={<ChevronRight />}
            disabled={place === length - 1}
            onClick={() => choose(place + 1)}
          />
        </div>
      )}
    </div>
  );
}

function placeOf(text: string, length: number): number | null {
  const number = /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= length ? number - 1 : null;
}
