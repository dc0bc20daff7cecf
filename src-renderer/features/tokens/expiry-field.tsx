import { useState } from 'react';
import { Field } from '../../ui/controls/field.tsx';
import { dayAfter } from '../../../src-shared/format/times.ts';
import { useNow } from '../../ui/hooks/use-now.ts';

/** Maximum lifetime that the service accepts. */
const maxDays = 365;
export const defaultDays = 30;

const spans = [
  { value: '7', word: '7 days' },
  { value: String(defaultDays), word: '30 days' },
  { value: '90', word: '90 days' },
  { value: String(maxDays), word: '1 year, the longest' },
  { value: 'day', word: 'On a day' },
] as const;

/** The day on which a token expires: after a predefined time, or as chosen. */
export function ExpiryField({ day, onChange }: { readonly day: string; readonly onChange: (day: string) => void }) {
  const now = useNow();
  const [span, setSpan] = useState<string>(String(defaultDays));
  return (
    <>
      <Field label="Expires" {...(day === '' ? {} : { hint: `On ${day}, at the start of the day in UTC.` })}>
        {(wiring) => (
          <select
            {...wiring}
            value={span}
            onChange={(event) => {
              setSpan(event.target.value);
              if (event.target.value !== 'day') onChange(dayAfter(Number(event.target.value), now));
            }}
          >
            {spans.map((one) => (
              <option key={one.value} value={one.value}>
                {one.word}
              </option>
            ))}
          </select>
        )}
      </Field>
      {span === 'day' ? (
        <Field label="Day">
          {(wiring) => (
            <input
              {...wiring}
              type="date"
              required
              min={dayAfter(1, now)}
              max={dayAfter(maxDays, now)}
              value={day}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
      ) : null}
    </>
  );
}
