import { countOf } from '../../common/count-of.ts';
import { JobFailed, parametersOf, type Work, type WorkContext } from '../../jobs/job-work.ts';
import type { JobRow, NewJob } from '../../jobs/jobs-store.ts';
import type { CopyRow } from '../store/copy-row.ts';
import { copyToRestoreFrom, restoreFiles, type RestoreDeps } from './restore-files.ts';

interface Parameters {
  readonly ids?: readonly string[];
  /** The copy from which files are restored before the verification. */
  readonly restoreFrom?: number;
  /** Whether what it finds is restored in the folder of an instrument too. */
  readonly restoreInPlace?: boolean;
}

/** A verification that first replaces the files that are not as registered by those of a copy. */
export function newRestoration(copy: CopyRow, userId: number | null): NewJob {
  return {
    kind: 'verify',
    measurementId: copy.measurement_id,
    userId,
    parameters: { bytesPerSecond: null, restoreFrom: copy.id },
  };
}

/**
 * Verification that restores files first where its job says so, and afterwards what it found: in the
 * library by itself, in the folder of an instrument where the job says so.
 */
export function restoring<Deps>(verify: Work<Deps>): Work<Deps & RestoreDeps> {
  return {
    ...verify,
    run: async (services, context) => {
      const { restoreFrom } = parametersOf(context.job) as Parameters;
      if (restoreFrom !== undefined) await restoreFiles(services, context, await services.copies.byId(restoreFrom));
      const verified = await verify.run(services, context);
      const lines = await restoreFound(services, context);
      return lines.length === 0 ? verified : { ...verified, message: [verified.message ?? '', ...lines].join('. ') };
    },
    restarted: async (services, job) => {
      const next = await verify.restarted?.(services, job);
      if (!next) throw new Error('a verification can be restarted');
      return { ...next, parameters: { ...next.parameters, ...restorationOf(job) } };
    },
  };
}

function restorationOf(job: JobRow): Parameters {
  const { restoreFrom, restoreInPlace } = parametersOf(job) as Parameters;
  return {
    ...(restoreFrom === undefined ? {} : { restoreFrom }),
    ...(restoreInPlace === undefined ? {} : { restoreInPlace }),
  };
}

/** @returns a line about each measurement of which files were restored, or could not be. */
async function restoreFound(deps: RestoreDeps, context: WorkContext): Promise<readonly string[]> {
  const { ids, restoreFrom, restoreInPlace } = parametersOf(context.job) as Parameters;
  const inPlace = restoreFrom !== undefined || restoreInPlace === true;
  const lines: string[] = [];
  for (const id of ids ?? [context.job.measurement_id]) {
    context.signal.throwIfAborted();
    const measurement = await deps.measurements.byId(id);
    if (measurement?.state !== 'degraded' || measurement.object_key !== null) continue;
    if (measurement.storage !== 'library' && !inPlace) continue;
    const copy = await copyToRestoreFrom(deps, id);
    if (copy === null) continue;
    const name = ids ? `${id}: ` : '';
    try {
      const restored = await restoreFiles(deps, context, copy);
      if (restored > 0) lines.push(`${name}${countOf(restored, 'file')} restored from ${copy.server_name}`);
    } catch (error) {
      // The findings stay the result.
      if (!(error instanceof JobFailed)) throw error;
      lines.push(`${name}${error.message}`);
    }
  }
  return lines;
}
