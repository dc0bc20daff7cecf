import type { Logger } from 'pino';
import type { Events } from '../../common/events.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { JobStores } from '../../jobs/stores.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import type { CopyStores } from '../store/stores.ts';
import { copyToRestoreFrom } from './restore-files.ts';
import { newRestoration } from './restore-work.ts';

interface Deps extends Pick<CopyStores, 'copyList'>, Pick<MeasurementStores, 'measurements'>, JobStores {
  readonly events: Events;
  readonly log: Logger;
  readonly jobRunner: Pick<JobRunner, 'enqueue'>;
}

/**
 * Has files of the library restored as soon as one is found not to be as registered. Files in the
 * folder of an instrument are only restored when somebody asks for it.
 *
 * @returns what ends it.
 */
export function restoreDegraded(deps: Deps): () => void {
  const { events, log, measurements, jobs, jobRunner } = deps;
  async function restore(id: string): Promise<void> {
    const measurement = await measurements.byId(id);
    if (measurement?.storage !== 'library' || measurement.object_key !== null) return;
    const copy = await copyToRestoreFrom(deps, id);
    if (copy === null) return;
    const isUnderWay = (await jobs.ofMeasurement(id)).some(
      (job) => job.ended_at === null && job.parameters.includes('"restoreFrom"'),
    );
    if (isUnderWay) return;
    log.warn({ measurement: id, copy: copy.base_url }, 'a file of the library is not as registered and is restored');
    await jobRunner.enqueue(newRestoration(copy, null));
  }
  return events.subscribe((name, event) => {
    if (name === 'degraded' && 'measurement_id' in event)
      void restore(event.measurement_id).catch((error: unknown) =>
        log.error({ err: error, measurement: event.measurement_id }, 'a measurement could not be restored'),
      );
  });
}
