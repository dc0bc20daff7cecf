import type { Job } from '../../api/requests/types.ts';
import type { AppServices } from '../../context/context.ts';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { isOfMany } from '../../words/job-words.ts';

/**
 * Reports the end of a job. A failed job stays in the panel with its reason; a successful one is
 * removed and reported in a toast.
 */
export function tellEndOfJob(app: AppServices, job: Job): void {
  const { show } = app.toasts.getState();
  const files = countOf(job.files_total, 'file');
  const { desktop } = app;
  const { result } = job;
  if (job.state === 'failed' && job.kind !== 'stage') return;
  app.live.getState().forgetJob(job.id);
  if (job.state !== 'done') return;
  switch (job.kind) {
    case 'register':
      show({ kind: 'plain', text: `${job.measurement_id} is registered`, detail: `${files}, hashed and frozen` });
      return;
    case 'verify':
      // The screen that started a verification after a changed time shows its result, and so does
      // the state of the measurement.
      if (job.message?.endsWith('compared') === true) return;
      show({
        kind: 'plain',
        text: isOfMany(job) ? 'Verification finished' : `${job.measurement_id} is verified`,
        detail: job.message ?? files,
      });
      return;
    case 'export':
      show({
        kind: 'plain',
        text: `${job.measurement_id} is exported`,
        detail: result ?? files,
        ...(desktop === null || result === null
          ? {}
          : { action: { label: 'Show in folder', run: () => void desktop.showInFolder(result) } }),
      });
      return;
    case 'backup':
      show({
        kind: job.message === null ? 'plain' : 'bad',
        text: job.message === null ? 'Backup made' : 'The backup was made, but it is incomplete',
        detail: job.message ?? result ?? '',
        ...(desktop === null || result === null
          ? {}
          : { action: { label: 'Show in folder', run: () => void desktop.showInFolder(result) } }),
      });
      return;
    case 'restore':
      show({ kind: 'plain', text: 'Backup unpacked', detail: 'Benchport restarts with it' });
      return;
    case 'stage':
      // The drag shows its own result.
      return;
  }
}
