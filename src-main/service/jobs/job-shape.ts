import type { Job } from '../contract/jobs.ts';
import { isoTime } from '../common/iso-time.ts';
import type { Principal } from '../http/principal.ts';
import type { JobRow } from './jobs-store.ts';
import type { LiveJob } from './run-job.ts';

/**
 * The API representation of a job: the stored row, with live progress if it runs in this process.
 */
export function jobShape(row: JobRow, live: LiveJob | undefined): Job {
  const running = live !== undefined && row.state === 'running';
  const now = running ? live.progress : null;
  return {
    id: row.id,
    kind: row.kind,
    measurement_id: row.measurement_id,
    state: running && live.paused ? 'paused' : row.state,
    files_done: now?.filesDone ?? row.files_done,
    files_total: now?.filesTotal ?? row.files_total,
    bytes_done: now?.bytesDone ?? row.bytes_done,
    bytes_total: now?.bytesTotal ?? row.bytes_total,
    bytes_per_second: running && !live.paused ? live.bytesPerSecond : 0,
    message: now ? now.message : row.message,
    result: row.result,
    created_at: isoTime(row.created_at),
    ended_at: isoTime(row.ended_at),
  };
}

/**
 * Hides the local path of a result except from the window: it is useless on other machines, even to
 * administrators.
 */
export function jobShownTo(principal: Pick<Principal, 'kind'>, job: Job): Job {
  return principal.kind === 'window' ? job : { ...job, result: null };
}
