import type { Job } from '../../api/requests/types.ts';
import type { AppServices } from '../../context/context.ts';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { isOfMany } from '../../words/job-words.ts';

/** Says that a job has ended. A failed one stays in the panel with its reason; a good one leaves and is said in the corner. */
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
      // What was compared because its time had changed is told where it was asked for, and by the state of the measurement.
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
      // Whoever drags it is told there.
      return;
  }
}
