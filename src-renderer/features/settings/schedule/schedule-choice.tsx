import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Choice } from '../../../ui/controls/field.tsx';
import { describeSchedule, defaultSchedules, type Schedule } from './schedule.ts';
import { ScheduleGrid } from './schedule-grid.tsx';

/** Whether work is done at certain hours only, and at which. */
export function ScheduleChoice({
  name,
  what,
  schedule,
  onChange,
}: {
  readonly name: string;
  readonly what: 'fetches' | 'copies';
  readonly schedule: Schedule | null;
  readonly onChange: (schedule: Schedule | null) => void;
}) {
  const [begin] = defaultSchedules;
  // A week without any hour may be an intermediate step: nothing would ever be fetched, so it is
  // shown and not saved.
  const [never, setNever] = useState<Schedule | null>(null);
  const shown = never ?? schedule;

  function set(next: Schedule | null): void {
    const empty = next !== null && !next.includes('1');
    setNever(empty ? next : null);
    if (!empty) onChange(next);
  }

  return (
    <>
      <Choice
        name={name}
        label={what === 'fetches' ? 'Only at certain hours' : 'Limit the hours of copies'}
        meaning={`By the clock of this computer. At other hours ${what} wait, then resume automatically.`}
        checked={shown !== null}
        onChange={(on) => set(on ? (begin?.schedule ?? null) : null)}
      />
      {shown === null ? null : (
        <>
          <ScheduleGrid value={shown} onChange={set} />
          <p className="remark" aria-live="polite">
            {describeSchedule(shown)}
          </p>
          <div className="row middle">
            {defaultSchedules.map(({ word, schedule: usual }) => (
              <Button key={word} look="quiet" onClick={() => set(usual)}>
                {word}
              </Button>
            ))}
          </div>
          {never === null ? null : (
            <p className="fault">
              Choose at least one hour, or nothing is ever {what === 'fetches' ? 'fetched' : 'copied'}. This has not
              been saved.
            </p>
          )}
        </>
      )}
    </>
  );
}
