import { useQuery } from '@tanstack/react-query';
import { Archive, ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import type { Desktop } from '../../context/desktop.ts';
import type { BackupPreview } from '../../api/requests/types.ts';
import { useApp, useSession } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { BackupFacts } from './backups/backup-facts.tsx';
import { BackupProgress } from './backups/backup-progress.tsx';
import { BackupScheduleForm } from './backup-schedule-form.tsx';
import { RestoreDialog } from './backups/restore-dialog.tsx';
import { useAttempts } from '../../ui/hooks/use-submit.ts';
import styles from './settings-screen.module.css';

/** The last backups; in the window also making, scheduling and restoring them. */
export function BackupsSetting() {
  const { queries, desktop } = useApp();
  const inWindow = useSession().door === 'window';
  const backups = useQuery(queries.backups());
  return (
    <div className={styles['group']}>
      <h2>Backups</h2>
      <NotLoaded of={backups} />
      {backups.data === undefined ? null : (
        <>
          <BackupFacts state={backups.data} />
          {inWindow && desktop !== null ? (
            <>
              <BackupActions desktop={desktop} told={backups.data.failed?.reason ?? null} />
              <BackupScheduleForm schedule={backups.data.schedule} desktop={desktop} />
            </>
          ) : (
            <p className="remark">
              A backup contains every secret of this server, so it can be made only on its machine: in its window, or
              with <code>benchport backup</code>.
            </p>
          )}
        </>
      )}
    </div>
  );
}

function BackupActions({ desktop, told }: { readonly desktop: Desktop; readonly told: string | null }) {
  const { actions, live } = useApp();
  const { failure, attempt } = useAttempts();
  const [preview, setPreview] = useState<BackupPreview | null>(null);

  const backUp = async (): Promise<void> => {
    const file = await desktop.chooseNewBackup(`benchport-${new Date().toISOString().slice(0, 10)}.zip`);
    if (file !== null) live.getState().putJob(await actions.backUp(file));
  };
  const lookInto = async (): Promise<void> => {
    const file = await desktop.chooseBackup();
    if (file !== null) setPreview(await actions.inspectBackup(file));
  };

  return (
    <>
      <BackupProgress told={told} />
      <ProblemNote error={failure} />
      <div className="row middle">
        <Button icon={<Archive aria-hidden />} onClick={() => void attempt(backUp)}>
          Make a backup
        </Button>
        <Button icon={<ArchiveRestore aria-hidden />} onClick={() => void attempt(lookInto)}>
          Restore a backup
        </Button>
      </div>
      {preview === null ? null : <RestoreDialog preview={preview} onClose={() => setPreview(null)} />}
    </>
  );
}
