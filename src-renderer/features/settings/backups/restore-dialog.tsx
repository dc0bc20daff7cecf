import type { BackupPreview } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { formatBytes, formatCount } from '../../../../src-shared/format/quantities.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import { Fact } from '../../../ui/figures/fact.tsx';
import facts from '../../../ui/styles/facts.module.css';

/** Shows the content of a backup, and confirms replacing the current data. */
export function RestoreDialog({ preview, onClose }: { readonly preview: BackupPreview; readonly onClose: () => void }) {
  const { actions, live } = useApp();
  const units = useUnits();
  return (
    <ConfirmDialog
      open
      title="Restore this backup?"
      verb="Restore"
      onClose={onClose}
      onConfirm={async () => live.getState().putJob(await actions.restoreBackup(preview.file))}
    >
      <div className="stack">
        <dl className={facts['facts']}>
          <Fact term="File">
            <code>{preview.file}</code>
          </Fact>
          <Fact term="Made">
            <Moment at={preview.made_at} />
          </Fact>
          <Fact term="By">Benchport {preview.program_version}</Fact>
          <dt>Measurements</dt>
          <dd className="digits">{formatCount(preview.measurements)}</dd>
          <dt>Files of the library</dt>
          <dd className="digits">{formatCount(preview.library_files)}</dd>
          {preview.users === null ? null : (
            <>
              <dt>Users</dt>
              <dd className="digits">{formatCount(preview.users)}</dd>
            </>
          )}
          <dt>Size</dt>
          <dd className="digits">{formatBytes(preview.bytes, units)}</dd>
        </dl>
        <p>
          It is unpacked and checked first, and nothing changes if it is damaged. Then Benchport restarts with it;
          running transfers end.
        </p>
        <p>
          The current data stays on this disk, in a separate folder beside the data directory. Anything added or revoked
          since the backup reverts to its state then.
        </p>
      </div>
    </ConfirmDialog>
  );
}
