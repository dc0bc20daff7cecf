import { useState } from 'react';
import { dayAfter } from '../../../src-shared/format/times.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { TextField, SelectField } from '../../ui/controls/text-field.tsx';

/** Maximum lifetime that the service accepts. */
const maxDays = 365;
export const defaultDays = 30;

const spans = [
  { value: '7', label: '7 days' },
  { value: String(defaultDays), label: '30 days' },
  { value: '90', label: '90 days' },
  { value: String(maxDays), label: '1 year, the longest' },
  { value: 'day', label: 'On a day' },
] as const;

/** The day on which a token expires: after a predefined time, or as chosen. */
export function ExpiryField({ day, onChange }: { readonly day: string; readonly onChange: (day: string) => void }) {
  const now = useNow();
  const [span, setSpan] = useState<string>(String(defaultDays));
  return (
    <>
      <SelectField
        label="Expires"
        hint={day === '' ? undefined : `On ${day}, at the start of the day in UTC.`}
        value={span}
        options={spans}
        onChange={(next) => {
          setSpan(next);
          if (next !== 'day') onChange(dayAfter(Number(next), now));
        }}
      />
      {span === 'day' ? (
        <TextField
          label="Day"
          type="date"
          required
          min={dayAfter(1, now)}
          max={dayAfter(maxDays, now)}
          value={day}
          onChange={onChange}
        />
      ) : null}
    </>
  );
}
