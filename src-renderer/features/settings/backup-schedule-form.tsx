import { useQueryClient } from '@tanstack/react-query';
import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import type { Desktop } from '../../api/desktop.ts';
import type { BackupSchedule, BackupState } from '../../api/types.ts';
import { useApp, useToast } from '../../app/context.ts';
import { Button } from '../../ui/button.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from './settings-screen.module.css';

const counts = [3, 7, 14, 30, 60];
const begin: Draft = { folder: null, every: 'day', keep: 7 };

type Draft = Omit<BackupSchedule, 'folder'> & { readonly folder: string | null };

/** Backups that are made regularly: whether, how often, where to, and how many stay. */
export function BackupScheduleForm({ schedule, desktop }: { readonly schedule: BackupState['schedule']; readonly desktop: Desktop }) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const before: Draft | null = schedule && { folder: schedule.folder, every: schedule.every, keep: schedule.keep };
  const [draft, setDraft] = useState(before);
  const changed = JSON.stringify(draft) !== JSON.stringify(before);

  async function save(): Promise<void> {
    const folder = draft?.folder ?? null;
    const wanted = draft === null || folder === null ? null : { ...draft, folder };
    client.setQueryData(queries.backups().queryKey, await actions.setBackupSchedule(wanted));
    toast({ kind: 'plain', text: wanted === null ? 'Backups are no longer made regularly' : 'Backups are now made regularly' });
  }

  async function chooseFolder(): Promise<void> {
    const folder = await desktop.chooseDataFolder();
    if (folder !== null) setDraft((now) => ({ ...(now ?? begin), folder }));
  }

  return (
    <Form
      verb="Save"
      ready={changed && (draft === null || draft.folder !== null)}
      onSubmit={save}
      beside={
        <Button look="quiet" disabled={!changed} onClick={() => setDraft(before)}>
          Discard changes
        </Button>
      }
    >
      <Choice
        type="checkbox"
        name="backup-schedule"
        label="Make backups regularly"
        meaning="While Benchport runs. It removes its own older backups and nothing else in the folder."
        checked={draft !== null}
        onChange={(on) => setDraft(on ? (before ?? begin) : null)}
      />
      {draft === null ? null : (
        <>
          <Field label="Folder for backups" hint="Best on another disk or another machine.">
            {(wiring) => (
              <div className={styles['folder']}>
                <input {...wiring} readOnly value={draft.folder ?? ''} />
                <Button icon={<FolderOpen aria-hidden />} onClick={() => void chooseFolder()}>
                  Choose
                </Button>
              </div>
            )}
          </Field>
          <div className={styles['pair']}>
            <Field label="How often">
              {(wiring) => (
                <select {...wiring} value={draft.every} onChange={(event) => setDraft({ ...draft, every: event.target.value === 'week' ? 'week' : 'day' })}>
                  <option value="day">Every day</option>
                  <option value="week">Every week</option>
                </select>
              )}
            </Field>
            <Field label="Backups to keep">
              {(wiring) => (
                <select {...wiring} value={draft.keep} onChange={(event) => setDraft({ ...draft, keep: Number(event.target.value) })}>
                  {[...new Set([...counts, draft.keep])]
                    .toSorted((one, other) => one - other)
                    .map((count) => (
                      <option key={count} value={count}>
                        {count}
                      </option>
                    ))}
                </select>
              )}
            </Field>
          </div>
        </>
      )}
    </Form>
  );
}
