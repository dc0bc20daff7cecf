// Worker thread for a single task on the whole data directory.
import { checkIntegrity } from '../database/integrity.ts';
import { errorCode } from '../common/error-code.ts';
import { StartError } from '../common/start-error.ts';
import { serveWorker } from '../workers/worker-server.ts';
import type { DataCaller, DataMethods, DataResults, DataTask, TaskFailure } from './data-tasks.ts';
import type { ReportProgress } from './backup-format.ts';
import { moveData } from './move-data.ts';
import { unpackBackup } from './unpack-backup.ts';
import { writeBackup } from './write-backup.ts';

const caller = serveWorker<DataMethods, DataCaller>({
  perform: async (task, signal) => {
    try {
      return { result: await perform(task, signal) };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  },
});

const report: ReportProgress = async (progress) => caller.call('report', [progress]);

async function perform(task: DataTask, signal: AbortSignal): Promise<DataResults[DataTask['kind']]> {
  switch (task.kind) {
    case 'backup':
      return writeBackup({ ...task, report, signal });
    case 'unpack':
      return unpackBackup({ ...task, report, signal });
    case 'move':
      return moveData({ ...task, report, signal });
    case 'check':
      return checkIntegrity(task.dataDir);
  }
}

function failureOf(error: unknown): TaskFailure {
  return {
    message: error instanceof Error ? error.message : String(error),
    expected: error instanceof StartError,
    code: errorCode(error) || null,
    sqlite: (error instanceof Error && errorCode(error.cause)) || null,
  };
}
