import { rm } from 'node:fs/promises';
import { layoutVersion, type ArchiveShape } from '../../archive/layout.ts';
import { nounOf } from '../../common/count-of.ts';
import { JobFailed, type WorkContext, type WorkResult } from '../../jobs/job-work.ts';
import { freezeManifest } from '../catalogue/manifest.ts';
import { dropPlan } from './registration-plan.ts';
import type { RegistrationWriter } from './registration-write.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { FileTimes } from '../store/file-times.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Database } from '../../database/port/database.ts';

/** Tag and manifest of a registration; not visible to others before {@link makeAvailable}. */
export interface Frozen {
  readonly tag: string;
  /** Removes the manifest when the files turn out to differ. */
  discard(): Promise<void>;
}

export interface FrozenShape extends ArchiveShape {
  /** Those of the list of files when left out. */
  readonly times?: FileTimes | null;
}

/** Stores the totals and the archive's shape, and writes the manifest to disk. */
export async function freezeFiles(
  services: Pick<MeasurementStores, 'measurements' | 'files' | 'registrations'> & {
    readonly config: ServiceConfig;
    readonly paths: DataPaths;
    readonly database: Pick<Database, 'syncRelaxed'>;
  },
  context: WorkContext,
  writer: RegistrationWriter,
  { archiveBytes, directoryOffset, tag, times }: FrozenShape,
): Promise<Frozen> {
  const id = context.job.measurement_id;
  await services.registrations.total(
    id,
    { files: writer.count, bytes: writer.bytes },
    { version: layoutVersion, bytes: archiveBytes, directoryOffset, tag },
  );
  const known = times === undefined ? await services.registrations.plannedTimes(context.job.id, Date.now()) : times;
  await services.registrations.setTimes(id, known);
  // Rows and manifest are synced in parallel.
  const onDisk = services.database.syncRelaxed();
  const [{ file, packedFile }] = await Promise.all([freezeManifest(services, id, basePathOf(services)), onDisk]);
  return {
    tag,
    discard: async () => {
      for (const one of [file, packedFile]) if (one !== null) await rm(one, { force: true });
    },
  };
}

/** Completes a registration: the measurement becomes visible to others in one commit. */
export async function makeAvailable(
  services: Pick<MeasurementStores, 'registrations'> &
    Pick<AuditStores, 'audit'> & { readonly events: Events; readonly changes: ChangeCounter },
  context: WorkContext,
  writer: RegistrationWriter,
  tag: string,
): Promise<WorkResult> {
  const { measurement_id: id, user_id: userId } = context.job;
  // Last chance to cancel: after this the measurement is either available or not.
  context.signal.throwIfAborted();
  await services.audit.record({
    userId,
    action: 'measurement.register',
    subject: `measurement:${id}`,
    detail: `${writer.count} ${nounOf(writer.count, 'file')}, ${writer.bytes} ${nounOf(writer.bytes, 'byte')}, archive ${tag}`,
  });
  // Without a row the measurement was removed meanwhile and must not be announced.
  if (!(await services.registrations.makeAvailable(id, Date.now())))
    throw new JobFailed('The measurement was removed.');
  services.changes.bump();
  services.events.emit('changed', { topic: 'measurements', id });
  await dropPlan(services, context.job.id);
  return { message: null, result: null };
}

/** Returns the path prefix of the base URL, which the manifest's links contain. */
export function basePathOf(services: { readonly config: ServiceConfig }): string {
  const { baseUrl } = services.config;
  return baseUrl === null ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '');
}
