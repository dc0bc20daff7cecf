import { countOf } from '../../common/count-of.ts';
import { grouped } from '../../common/grouped.ts';
import { JobFailed, parametersOf, type WorkContext } from '../../jobs/job-work.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import { verifyOne } from './verify-one.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { VerifyDeps } from './verify-deps.ts';

/** Progress of verifying several measurements, stored with the job. */
interface Reached {
  readonly measurements: number;
  readonly files: number;
  readonly bytes: number;
  readonly right: number;
  /** One line for each of the first measurements with problems. */
  readonly wrong: readonly string[];
}

const maxNamed = 20;

/**
 * Verifies several measurements one after the other.
 *
 * @returns a summary with the number of unchanged ones and the problems of the others.
 */
export async function verifyMany(
  services: VerifyDeps,
  context: WorkContext,
  thread: HashThread,
  ids: readonly string[],
): Promise<string> {
  const { reached: before } = parametersOf(context.job) as { readonly reached?: Reached };
  let reached = before ?? { measurements: 0, files: 0, bytes: 0, right: 0, wrong: [] };
  context.report(await totalsOf(services, ids));
  for (const id of ids.slice(reached.measurements)) {
    context.report({
      message: `Verifying ${countOf(ids.length, 'measurement')}, ${grouped(reached.measurements + 1)} of ${grouped(ids.length)}`,
    });
    reached = await step(services, context, thread, id, reached);
    await context.remember({ reached });
    context.report({ filesDone: reached.files, bytesDone: reached.bytes });
  }
  if (reached.right === ids.length) return `${countOf(ids.length, 'measurement')} verified; all files are unchanged`;
  const unnamed = ids.length - reached.right - reached.wrong.length;
  return [
    `${grouped(reached.right)} of ${countOf(ids.length, 'measurement')} ${reached.right === 1 ? 'is' : 'are'} unchanged`,
    ...reached.wrong,
    ...(unnamed > 0 ? [`and ${grouped(unnamed)} more`] : []),
  ].join('. ');
}

async function step(
  services: VerifyDeps,
  context: WorkContext,
  thread: HashThread,
  id: string,
  reached: Reached,
): Promise<Reached> {
  const measurement = await services.measurements.byId(id);
  const { files, bytes } = reached;
  let line: string | null = `${id}: it was removed`;
  if (measurement && measurement.state !== 'registering') {
    try {
      const verdict = await verifyOne(services, context, thread, measurement, { files, bytes });
      const after = await services.measurements.byId(id);
      line = after?.state === 'available' ? null : `${id}: ${verdict}`;
    } catch (error) {
      // The measurement was removed meanwhile; the others are still verified.
      if (!(error instanceof JobFailed)) throw error;
    }
  }
  return {
    measurements: reached.measurements + 1,
    files: files + (measurement?.file_count ?? 0),
    bytes: bytes + (measurement?.total_bytes ?? 0),
    right: reached.right + (line === null ? 1 : 0),
    wrong: line === null || reached.wrong.length >= maxNamed ? reached.wrong : [...reached.wrong, line],
  };
}

async function totalsOf(
  services: Pick<MeasurementStores, 'measurements'>,
  ids: readonly string[],
): Promise<{ readonly filesTotal: number; readonly bytesTotal: number }> {
  let [filesTotal, bytesTotal] = [0, 0];
  for (const id of ids) {
    const measurement = await services.measurements.byId(id);
    filesTotal += measurement?.file_count ?? 0;
    bytesTotal += measurement?.total_bytes ?? 0;
  }
  return { filesTotal, bytesTotal };
}
