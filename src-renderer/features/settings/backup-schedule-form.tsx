import { FolderField } from './folder-field.tsx';
import { NumberField } from './number-field.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Desktop } from '../../context/desktop.ts';
import type { BackupSchedule, BackupState } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Choice } from '../../ui/controls/field.tsx';
import { useAutoSave } from './answers/auto-save.ts';
import { Saved } from './saved.tsx';
import { SelectField } from '../../ui/controls/text-field.tsx';
import styles from './settings-screen.module.css';

const counts = [3, 7, 14, 30, 60];
const rhythms = [
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'Every week' },
];
const begin: Draft = { folder: null, every: 'day', keep: 7 };

type Draft = Omit<BackupSchedule, 'folder'> & { readonly folder: string | null };

/**
 * Regular backups: whether, how often, where, and how many are kept. Each change is saved at once,
 * the first one when a folder is chosen.
 */
export function BackupScheduleForm({
  schedule,
  desktop,
}: {
  readonly schedule: BackupState['schedule'];
  readonly desktop: Desktop;
}) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const { shown, saving, failure, change } = useAutoSave(keptOf(schedule), async (next) =>
    client.setQueryData(queries.backups().queryKey, await actions.setBackupSchedule(next)),
  );
  // Switched on, but without a folder yet.
  const [begun, setBegun] = useState<Draft | null>(null);
  const [last, setLast] = useState<BackupSchedule | null>(null);
  const draft: Draft | null = shown ?? begun;

  function set(next: Draft): void {
    if (next.folder === null) setBegun(next);
    else change({ ...next, folder: next.folder });
  }

  function switchTo(on: boolean): void {
    if (on) return set(last ?? begin);
    setBegun(null);
    setLast(shown);
    if (shown !== null) change(null);
  }

  async function chooseFolder(): Promise<void> {
    const chosen = await desktop.chooseDataFolder();
    if (chosen !== null) set({ ...(draft ?? begin), folder: chosen });
  }

  return (
    <>
      <Choice
        name="backup-schedule"
        label="Make backups regularly"
        meaning="While Benchport runs. It removes its own older backups and nothing else in the folder."
        checked={draft !== null}
        onChange={switchTo}
      />
      {draft === null ? null : (
        <>
          <FolderField
            label="Folder for backups"
            hint="Best on another disk or another machine."
            error={draft.folder === null ? 'Choose a folder. Until then no backups are made.' : null}
            folder={draft.folder}
            onChoose={chooseFolder}
          />
          <Rhythm draft={draft} onChange={set} />
        </>
      )}
      <Saved saving={saving} failure={failure} />
    </>
  );
}

function keptOf(schedule: BackupState['schedule']): BackupSchedule | null {
  const folder = schedule?.folder ?? null;
  return schedule && folder !== null ? { folder, every: schedule.every, keep: schedule.keep } : null;
}

function Rhythm({ draft, onChange }: { readonly draft: Draft; readonly onChange: (next: Draft) => void }) {
  return (
    <div className={styles['pair']}>
      <SelectField
        label="How often"
        value={draft.every}
        options={rhythms}
        onChange={(every) => onChange({ ...draft, every: every === 'week' ? 'week' : 'day' })}
      />
      <NumberField
        label="Backups to keep"
        value={draft.keep}
        choices={[...new Set([...counts, draft.keep])].toSorted((one, other) => one - other)}
        onChange={(keep) => onChange({ ...draft, keep })}
      />
    </div>
  );
}
