import { repeatedly } from '../../common/repeatedly.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { newVerification } from './verify.ts';
import type { Logger } from 'pino';
import type { MeasurementStores } from '../store/stores.ts';

const day = 86_400_000;
/** After the start other work comes first. */
const firstCheckMs = 60_000;
/** Often, so that half a million measurements are verified in a month; a look reads two indexes. */
const checkEveryMs = 5000;

export interface VerifySchedule {
  /** A measurement is verified again when its last verification is older than this. */
  readonly everyMs: number;
  readonly notAgainBefore: number;
  readonly bytesPerSecond: number;
}

/**
 * Each measurement once a month, slowly enough not to disturb other work, so that a failing disk is
 * detected.
 */
const defaultSchedule: VerifySchedule = { everyMs: 30 * day, notAgainBefore: day, bytesPerSecond: 50_000_000 };

/**
 * Queues the verification that is most overdue, if no job is running.
 *
 * @returns the measurement, or null when none is due.
 */
export async function verifyDue(
  services: Pick<MeasurementStores, 'registrations'>,
  runner: JobRunner,
  schedule: VerifySchedule,
  now: number,
): Promise<string | null> {
  if (!(await runner.idle())) return null;
  // A verification that was cancelled or paused is not started again immediately.
  const due = await services.registrations.leastRecentlyVerified(now - schedule.everyMs, now - schedule.notAgainBefore);
  if (due !== null) await runner.enqueue(newVerification(due, null, schedule.bytesPerSecond));
  return due;
}

/** Checks periodically for due verifications. @returns a function that stops the checks. */
export function startVerifySchedule(
  services: Pick<MeasurementStores, 'registrations'> & { readonly log: Logger },
  runner: JobRunner,
): () => Promise<void> {
  let end = async (): Promise<void> => {};
  const first = setTimeout(() => {
    end = repeatedly(
      checkEveryMs,
      async () => void (await verifyDue(services, runner, defaultSchedule, Date.now())),
      (error) => services.log.warn({ err: error }, 'no check was started'),
    );
  }, firstCheckMs);
  first.unref();
  return async () => {
    clearTimeout(first);
    await end();
  };
}
