import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import type { Desktop } from '../../api/desktop.ts';
import type { FetchSettings } from '../../api/types.ts';
import { useApp, useToast } from '../../app/context.ts';
import { Button } from '../../ui/button.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { RateField } from '../transfers/rate-field.tsx';
import { describeSchedule, usualSchedules, type Schedule } from './schedule.ts';
import { ScheduleGrid } from './schedule-grid.tsx';
import styles from './settings-screen.module.css';
import { SettingNotRead } from './setting-not-read.tsx';

const mostAtOnce = 16;

/** How fetching behaves: how much at once, how fast, when, and where to. */
export function FetchSetting({ desktop }: { readonly desktop: Desktop }) {
  const { queries } = useApp();
  const settings = useQuery(queries.fetchSettings());
  return (
    <div className={styles['group']}>
      <SettingNotRead
        heading="Fetching"
        error={settings.data === undefined ? settings.error : null}
        waits={settings.data === undefined}
        onAgain={settings.refetch}
      />
      {settings.data === undefined ? null : <FetchForm key={JSON.stringify(settings.data)} settings={settings.data} desktop={desktop} />}
    </div>
  );
}

function FetchForm({ settings, desktop }: { readonly settings: FetchSettings; readonly desktop: Desktop }) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const [wanted, setWanted] = useState(settings);
  // Also shown anew when changes are discarded.
  const [edition, setEdition] = useState(0);
  const [limit, setLimit] = useState<number | null | undefined>(settings.speed_limit);
  const next = { ...wanted, speed_limit: limit ?? null };
  const changed = JSON.stringify(next) !== JSON.stringify(settings) || limit === undefined;
  const never = wanted.schedule !== null && !wanted.schedule.includes('1');
  const set = (change: Partial<FetchSettings>): void => setWanted({ ...wanted, ...change });

  async function save(): Promise<void> {
    client.setQueryData(queries.fetchSettings().queryKey, await actions.setFetchSettings(next));
    toast({ kind: 'plain', text: 'Fetch settings saved' });
  }

  async function chooseFolder(): Promise<void> {
    const target = await desktop.chooseFetchFolder();
    if (target !== null) set({ target });
  }

  function discard(): void {
    setWanted(settings);
    setLimit(settings.speed_limit);
    setEdition(edition + 1);
  }

  return (
    <>
      <h2>Fetching</h2>
      <Form
        verb="Save"
        ready={changed && limit !== undefined && !never}
        onSubmit={save}
        beside={
          <Button look="quiet" disabled={!changed} onClick={discard}>
            Discard changes
          </Button>
        }
      >
        <div className={styles['pair']}>
          <NumberField label="Simultaneous fetches" value={wanted.at_most} onChange={(at_most) => set({ at_most })} />
          <NumberField label="Connections per fetch" value={wanted.connections} onChange={(connections) => set({ connections })} />
        </div>
        <RateField key={edition} label="Total speed limit" value={settings.speed_limit} onChange={setLimit} />
        <Field label="Default folder for fetches" hint="Empty: choose one for each fetch.">
          {(wiring) => (
            <div className={styles['folder']}>
              <input {...wiring} readOnly value={wanted.target ?? ''} />
              <Button icon={<FolderOpen aria-hidden />} onClick={() => void chooseFolder()}>
                Choose
              </Button>
              <Button look="quiet" disabled={wanted.target === null} onClick={() => set({ target: null })}>
                Clear
              </Button>
            </div>
          )}
        </Field>
        <ScheduleChoice schedule={wanted.schedule} onChange={(schedule) => set({ schedule })} />
        {never ? <p className={styles['wrong']}>Choose at least one hour, or nothing is ever fetched.</p> : null}
      </Form>
    </>
  );
}

function NumberField({ label, value, onChange }: { readonly label: string; readonly value: number; readonly onChange: (value: number) => void }) {
  return (
    <Field label={label}>
      {(wiring) => (
        <select {...wiring} value={value} onChange={(event) => onChange(Number(event.target.value))}>
          {Array.from({ length: mostAtOnce }, (_, index) => (
            <option key={index} value={index + 1}>
              {index + 1}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function ScheduleChoice({ schedule, onChange }: { readonly schedule: Schedule | null; readonly onChange: (schedule: Schedule | null) => void }) {
  const [begin] = usualSchedules;
  return (
    <>
      <Choice
        type="checkbox"
        name="schedule"
        label="Only at certain hours"
        meaning="By the clock of this computer. At other hours fetches wait, then resume automatically."
        checked={schedule !== null}
        onChange={(on) => onChange(on ? (begin?.schedule ?? null) : null)}
      />
      {schedule === null ? null : (
        <>
          <ScheduleGrid value={schedule} onChange={onChange} />
          <p className={styles['hint']} aria-live="polite">
            {describeSchedule(schedule)}
          </p>
          <div className={styles['links']}>
            {usualSchedules.map(({ word, schedule: usual }) => (
              <Button key={word} look="quiet" onClick={() => onChange(usual)}>
                {word}
              </Button>
            ))}
          </div>
        </>
      )}
    </>
  );
}
