import type { Job } from '../api/requests/types.ts';
import { countOf, formatBytes, formatRate, type SizeUnits } from '../../src-shared/format/quantities.ts';
import { formatDuration } from '../../src-shared/format/times.ts';

/** The activity of a running job, as in `Verifying run-17`. */
export const jobVerbs: Readonly<Record<Job['kind'], string>> = {
  register: 'Registering',
  verify: 'Verifying',
  export: 'Exporting',
  stage: 'Preparing',
  backup: 'Making a backup',
  restore: 'Unpacking a backup',
};

/** A job with its subject; some jobs concern all data. */
export function jobName(job: Pick<Job, 'kind' | 'measurement_id' | 'state' | 'message'>): string {
  if (isOfMany(job))
    return job.state === 'running' && job.message !== null ? job.message : 'Verifying several measurements';
  return job.measurement_id === '' ? jobVerbs[job.kind] : `${jobVerbs[job.kind]} ${job.measurement_id}`;
}

/** Whether it verifies several measurements; its message then names the current one. */
export function isOfMany(job: Pick<Job, 'kind' | 'measurement_id'>): boolean {
  return job.kind === 'verify' && job.measurement_id === '';
}

/** Progress, rate and remaining time of a job: `12.1 GiB of 38.2 GiB · 312 MiB/s · 4 min left`. */
export function describeProgress(job: Job, units: SizeUnits): string {
  switch (job.state) {
    case 'queued':
      return 'waiting';
    case 'done':
      return 'done';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    case 'paused':
      return `paused at ${formatBytes(job.bytes_done, units)} of ${formatBytes(job.bytes_total, units)}`;
    case 'running': {
      const amount =
        job.bytes_total > 0
          ? `${formatBytes(job.bytes_done, units)} of ${formatBytes(job.bytes_total, units)}`
          : countOf(job.files_done, 'file');
      if (job.bytes_per_second <= 0) return amount;
      const left = formatDuration((job.bytes_total - job.bytes_done) / job.bytes_per_second);
      return [amount, formatRate(job.bytes_per_second, units), ...(left === '' ? [] : [`${left} left`])].join(' · ');
    }
  }
}
