import type { Job } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { runForMany } from '../../context/run-for-many.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { jobName } from '../../words/job-words.ts';

/** Confirms cancelling all running and waiting jobs. */
export function CancelJobsDialog({ jobs, onClose }: { readonly jobs: readonly Job[]; readonly onClose: () => void }) {
  const app = useApp();
  const verbs = { doing: 'Cancelling', done: 'cancelled' };
  const cancel = async (job: Job): Promise<void> => {
    const after = await app.actions.controlJob(job.id, 'cancel');
    if (after.state === 'cancelled') app.live.getState().forgetJob(job.id);
    else app.live.getState().putJob(after);
  };
  return (
    <ConfirmDialog
      open
      title={`Cancel ${countOf(jobs.length, 'job')}?`}
      verb="Cancel all"
      onClose={onClose}
      onConfirm={async () => void runForMany(app, { items: jobs, nameOf: jobName, noun: 'job', verbs, run: cancel })}
    >
      <p>Unfinished work is discarded; a cancelled registration leaves nothing behind.</p>
    </ConfirmDialog>
  );
}
