import type { Job } from '../api/requests/types.ts';

const storageKey = 'benchport.dismissed-jobs';
const kept = 200;

export interface DismissedJobs {
  has(job: Job): boolean;
  add(job: Job): void;
}

// A job number alone could match a job of another data directory.
const keyOf = (job: Job): string => `${job.id} ${job.created_at}`;

/** Failed jobs that the user dismissed in this browser. */
export function createDismissedJobs(storage: Storage | null): DismissedJobs {
  const read = (): string[] => {
    try {
      const stored: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]');
      return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
    } catch {
      return [];
    }
  };
  const keys = new Set(read());
  return {
    has: (job) => keys.has(keyOf(job)),
    add: (job) => {
      keys.add(keyOf(job));
      try {
        // Another window may have dismissed some in the meantime.
        storage?.setItem(storageKey, JSON.stringify([...new Set([...read(), keyOf(job)])].slice(-kept)));
      } catch {
        // Storage may be full or forbidden: the job then stays dismissed until the window closes.
      }
    },
  };
}

const shownFor = 24 * 3600_000;

/**
 * The failures to show after a reload: of the last day, not dismissed, and not followed by a
 * success of the same work.
 */
export function failuresToShow(ended: readonly Job[], dismissed: DismissedJobs, now: number): readonly Job[] {
  return ended.filter(
    (job) =>
      job.state === 'failed' &&
      job.kind !== 'stage' &&
      job.ended_at !== null &&
      now - Date.parse(job.ended_at) < shownFor &&
      !dismissed.has(job) &&
      !ended.some(
        (later) =>
          later.id > job.id &&
          later.state === 'done' &&
          later.kind === job.kind &&
          later.measurement_id === job.measurement_id,
      ),
  );
}
