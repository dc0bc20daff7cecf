import type { JobRunner } from '../../jobs/job-runner.ts';
import { newVerification } from './verify.ts';
import type { Logger } from 'pino';
import type { MeasurementStores } from '../store/stores.ts';

const day = 86_400_000;

export interface VerifySchedule {
  /** A measurement is looked at again when its last check is older than this. */
  readonly everyMs: number;
  readonly notAgainBefore: number;
  readonly bytesPerSecond: number;
}

/** Each measurement once a month, slowly: a disk that goes bad is noticed, and nobody else notices the check. */
const defaultSchedule: VerifySchedule = { everyMs: 30 * day, notAgainBefore: day, bytesPerSecond: 50_000_000 };

/** Queues the check that is due most, when nothing else is going on. @returns the measurement, null when nothing is due. */
export async function verifyDue(
  services: Pick<MeasurementStores, 'registrations'>,
  runner: JobRunner,
  schedule: VerifySchedule,
  now: number,
): Promise<string | null> {
  if (!(await runner.idle())) return null;
  // A check that somebody cancelled or paused is not begun again at once.
  const due = await services.registrations.leastRecentlyVerified(now - schedule.everyMs, now - schedule.notAgainBefore);
  if (due !== null) await runner.enqueue(newVerification(due, null, schedule.bytesPerSecond));
  return due;
}

/** Looks for due checks from time to time. @returns the function that ends it. */
export function startVerifySchedule(
  services: Pick<MeasurementStores, 'registrations'> & { readonly log: Logger },
  runner: JobRunner,
): () => void {
  const timer = setInterval(() => {
    void verifyDue(services, runner, defaultSchedule, Date.now()).catch((error: unknown) =>
      services.log.warn({ err: error }, 'no check was started'),
    );
  }, 60_000);
  timer.unref();
  return () => clearInterval(timer);
}
