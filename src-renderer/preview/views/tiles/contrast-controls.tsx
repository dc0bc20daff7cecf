import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import field from '../../../ui/controls/field.module.css';
import { ColourMapChoice } from '../colour-map-choice.tsx';
import type { ColourMap } from '../colours.ts';
import styles from './tiles.module.css';

export type Range = readonly [low: number, high: number];

export interface ContrastControlsProps {
  /** The range of the values, and the one that is drawn. */
  readonly limits: Range;
  readonly range: Range;
  readonly isAutomatic: boolean;
  /** Null for pictures with colours of their own. */
  readonly map: ColourMap | null;
  /** Null for the automatic range. */
  readonly onRange: (range: Range | null) => void;
  readonly onMap: (map: ColourMap) => void;
}

/** Which values are dark, and which are bright. */
export function ContrastControls({ limits, range, isAutomatic, map, onRange, onMap }: ContrastControlsProps) {
  const [low, high] = range;
  const step = stepOf(limits);
  return (
    <div role="group" aria-label="Contrast" className={styles['contrast']}>
      <Limit
        label="Dark up to"
        value={low}
        limits={limits}
        step={step}
        onChange={(value) => onRange([value, Math.max(high, value + step)])}
      />
      <Limit
        label="Bright from"
        value={high}
        limits={limits}
        step={step}
        onChange={(value) => onRange([Math.min(low, value - step), value])}
      />
      {map === null ? null : <ColourMapChoice map={map} first="grey" onMap={onMap} />}
      <Button disabled={isAutomatic} onClick={() => onRange(null)}>
        Reset contrast
      </Button>
    </div>
  );
}

interface LimitProps {
  readonly label: string;
  readonly value: number;
  readonly limits: Range;
  readonly step: number;
  readonly onChange: (value: number) => void;
}

function Limit({ label, value, limits, step, onChange }: LimitProps) {
  /** Text in the field while it is edited, which may not be a number yet. */
  const [draft, setDraft] = useState<string | null>(null);
  const shown = String(Number(value.toPrecision(6)));
  return (
    <div className={styles['limit']}>
      <label className={styles['slider']}>
        <span>{label}</span>
        <input
          type="range"
          min={Math.floor(limits[0] / step) * step}
          max={Math.ceil(limits[1] / step) * step}
          step={step}
          value={value}
          onChange={(event) => onChange(Number(event.target.value))}
        />
      </label>
      <input
        type="number"
        aria-label={`${label}, as a number`}
        className={field['input']}
        step="any"
        value={draft ?? shown}
        onChange={(event) => {
          setDraft(event.target.value);
          const typed = event.target.valueAsNumber;
          if (Number.isFinite(typed)) onChange(typed);
        }}
        onBlur={() => setDraft(null)}
      />
    </div>
  );
}

/** A power of ten, of which the range has some hundreds. */
function stepOf([low, high]: Range): number {
  return high > low ? 10 ** Math.floor(Math.log10((high - low) / 200)) : 1;
}
