import type { Logger } from 'pino';
import { folderFailure } from '../scanning/folder-failure.ts';
import type { CaptureRunRow } from '../store/capture-rows.ts';

/** Does something for one run, so that what fails there does not hold up the others of its rule. */
export async function alone(log: Logger, run: CaptureRunRow, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (folderFailure(error) !== null) throw error;
    log.error({ err: error, run: run.id }, 'a run in a watched folder was passed over');
  }
}
