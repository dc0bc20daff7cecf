import type { Inspection } from '../../contract/jobs.ts';
import { errorCode } from '../../common/error-code.ts';
import { HttpProblem } from '../../common/problem.ts';
import { startHashThread } from '../file-worker/hash-thread.ts';
import { RemoteError } from '../../workers/worker-errors.ts';
import { readIgnoreList } from '../file-worker/ignore-list.ts';
import { findingLines } from '../../files/inspect-findings.ts';
import { findSource, freeId, suggestedTitle } from './register.ts';
import { failureText } from '../../files/register-failures.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { MeasurementStores } from '../store/stores.ts';

/** Lists what a path contains, before anything is registered. */
export async function inspect(
  services: Pick<MeasurementStores, 'registrations'> & {
    readonly config: ServiceConfig;
    readonly settings: SettingsStore;
  },
  requestedPath: string,
  signal?: AbortSignal,
): Promise<Inspection> {
  const source = await findSource(services, requestedPath);
  const thread = startHashThread(signal);
  const shape = {
    path: source.path,
    kind: source.kind,
    suggested_id: await freeId(services, source),
    suggested_title: suggestedTitle(source),
  };
  try {
    const ignoreList = await readIgnoreList(services.settings);
    const found = await thread.list({ kind: source.kind, path: source.path, ignoreList }, async () => {});
    return {
      ...shape,
      file_count: found.fileCount,
      total_bytes: found.totalBytes,
      ignored: findingLines(found.ignored),
      warnings: [
        ...(found.fileCount === 0 && found.refusals.total === 0 ? ['There are no files in it'] : []),
        ...findingLines(found.warnings),
      ].slice(0, 100),
      refusals: findingLines(found.refusals),
    };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (errorCode(error) !== '')
      throw new HttpProblem(422, `${requestedPath} cannot be read: ${failureText(error)}.`, {
        type: 'bad-path',
        cause: error,
      });
    // A damaged archive is reported as a finding, not as an error.
    return { ...shape, file_count: 0, total_bytes: 0, ignored: [], warnings: [], refusals: [error.message] };
  } finally {
    await thread.close();
  }
}
