import { useState } from 'react';
import { useUnits } from '../../app/context.ts';
import { Field } from '../../ui/field.tsx';

/** The least that the service takes, in bytes per second. */
const least = 1024;

export interface RateFieldProps {
  readonly label: string;
  /** Bytes per second; null is no limit. */
  readonly value: number | null;
  /** Null for no limit, undefined for what is none. */
  readonly onChange: (value: number | null | undefined) => void;
}

/** A rate as a number of MiB/s (or MB/s, as this person reads sizes). Empty means no limit. */
export function RateField({ label, value, onChange }: RateFieldProps) {
  const units = useUnits();
  const unit = units === 'iec' ? 1024 ** 2 : 1000 ** 2;
  const word = units === 'iec' ? 'MiB/s' : 'MB/s';
  const [typed, setTyped] = useState(value === null ? '' : String(Math.round((value / unit) * 1000) / 1000));
  const read = (text: string): number | null | undefined => {
    if (text.trim() === '') return null;
    const bytes = Math.round(Number(text.trim().replace(',', '.')) * unit);
    return Number.isFinite(bytes) && bytes >= least ? bytes : undefined;
  };
  return (
    <Field label={`${label}, ${word}`} hint="Empty for no limit." error={read(typed) === undefined ? `A number of ${word}, such as 2.5.` : null}>
      {(wiring) => (
        <input
          {...wiring}
          inputMode="decimal"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(read(event.target.value));
          }}
        />
      )}
    </Field>
  );
}
