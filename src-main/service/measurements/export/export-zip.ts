import { open, type FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import { JobFailed, type WorkContext } from '../../jobs/job-work.ts';
import { SendBuffers } from '../transfers/buffer-pool.ts';
import { archiveForJob } from '../content/archive-source.ts';
import { copyArchive } from '../content/copy-archive.ts';
import { FileFault } from '../storage/file-errors.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { objectExportOf, type ObjectExportDeps } from './export-object.ts';
import { ResponseWriter } from '../content/response-writer.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { MeasurementStores } from '../store/stores.ts';

const bufferBytes = 256 * 1024;

/**
 * Writes the archive of a measurement to a file, with the code of the download and therefore the
 * same bytes.
 */
export async function writeArchive(
  services: Pick<MeasurementStores, 'files' | 'blockSums'> &
    ObjectExportDeps & {
      readonly paths: DataPaths;
      readonly changes: ChangeCounter;
    },
  context: WorkContext,
  measurement: MeasurementRow,
  target: string,
): Promise<void> {
  const handle = await open(target, 'wx', 0o644);
  try {
    const exporting = objectExportOf(services, context, measurement);
    const onSent = progressOf(context, measurement);
    if (exporting) await exporting.copyArchive(handle, onSent);
    else await writeBody(services, context, measurement, handle, onSent);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function progressOf(context: WorkContext, measurement: MeasurementRow): (bytes: number) => void {
  let sent = 0;
  return (bytes) => {
    sent += bytes;
    context.report({
      bytesDone: Math.min(sent, measurement.total_bytes),
      filesDone: sent === measurement.archive_bytes ? measurement.file_count : 0,
    });
  };
}

async function writeBody(
  services: Pick<MeasurementStores, 'files' | 'blockSums'> & {
    readonly paths: DataPaths;
    readonly changes: ChangeCounter;
  },
  context: WorkContext,
  measurement: MeasurementRow,
  handle: FileHandle,
  onSent: (bytes: number) => void,
): Promise<void> {
  const stream = intoFile(context, handle);
  const failed = new Promise<never>((_resolve, reject) => stream.once('error', reject));
  failed.catch(() => {});
  const writer = new ResponseWriter({
    // A stream to a file accepts the body like a response.
    response: stream as unknown as ServerResponse,
    buffers: new SendBuffers(),
    bufferSize: bufferBytes,
    kernel: null,
    length: measurement.archive_bytes,
    sendHead: () => {},
    onSent,
  });
  try {
    const source = archiveForJob(services, measurement);
    await Promise.race([failed, copyArchive(writer, source, 0, measurement.archive_bytes).then(() => writer.end())]);
  } catch (error) {
    stream.destroy();
    context.signal.throwIfAborted();
    if (error instanceof FileFault) throw new JobFailed(`${error.filePath}: ${error.message}.`, { cause: error });
    throw stream.errored ?? error;
  } finally {
    writer.release();
  }
}

// Each write waits while the job is paused, and fails when it is cancelled.
function intoFile(context: WorkContext, handle: FileHandle): Writable {
  const write = callbackify(async (chunk: Buffer) => {
    await context.gate();
    await handle.writeFile(chunk);
  });
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, done);
    },
  });
}
