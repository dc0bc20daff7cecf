// Worker thread for a single task on the whole data directory.
import { parentPort, workerData } from 'node:worker_threads';
import { checkIntegrity } from '../database/integrity.ts';
import { errorCode } from '../common/error-code.ts';
import { StartError } from '../common/start-error.ts';
import type { DataResults, DataTask, FromDataThread, ToDataThread } from './data-tasks.ts';
import type { ReportProgress } from './backup-format.ts';
import { moveData } from './move-data.ts';
import { unpackBackup } from './unpack-backup.ts';
import { writeBackup } from './write-backup.ts';

const port = parentPort;
const stopping = new AbortController();
let continueTask: () => void = () => {};

const send = (message: FromDataThread): void => port?.postMessage(message);

const report: ReportProgress = async (progress) => {
  const answered = new Promise<void>((resolve) => (continueTask = resolve));
  send({ type: 'progress', progress });
  await answered;
};

port?.on('message', (message: ToDataThread) => {
  if (message === 'stop') stopping.abort(new Error('stopped'));
  continueTask();
});

async function perform(task: DataTask): Promise<DataResults[DataTask['kind']]> {
  const { signal } = stopping;
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

try {
  send({ type: 'done', result: await perform(workerData as DataTask) });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  send({
    type: 'failed',
    expected: error instanceof StartError,
    code: errorCode(error) || null,
    sqlite: (error instanceof Error && errorCode(error.cause)) || null,
    message,
  });
}
port?.close();
