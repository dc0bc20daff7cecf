import { useState } from 'react';
import { useUnits } from '../../context/context.ts';
import { rateProblem, rateText, rateUnit, readRate } from './rate-text.ts';
import { TextField } from './text-field.tsx';

export interface RateFieldProps {
  readonly label: string;
  /** Bytes per second; null is no limit. */
  readonly value: number | null;
  /** Null for no limit, undefined for an invalid rate. */
  readonly onChange: (value: number | null | undefined) => void;
}

/** A rate as a number of MiB/s (or MB/s, by the user's choice of units). Empty means no limit. */
export function RateField({ label, value, onChange }: RateFieldProps) {
  const units = useUnits();
  const [typed, setTyped] = useState(rateText(value, units));
  return (
    <TextField
      label={`${label}, ${rateUnit(units)}`}
      hint="Empty for no limit."
      error={readRate(typed, units) === undefined ? rateProblem(units) : null}
      inputMode="decimal"
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(readRate(text, units));
      }}
    />
  );
}
