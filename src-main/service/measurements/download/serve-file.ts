import type { FastifyReply, FastifyRequest } from 'fastify';
import { countOf } from '../../common/count-of.ts';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { copyFile } from '../content/copy-file.ts';
import { FileFault } from '../storage/file-errors.ts';
import { markFault, markFound } from '../block-checks/mark-file.ts';
import { parseIndex } from '../../files/file-index.ts';
import type { SharedDescriptor } from '../content/served-file.ts';
import { isUntouched } from '../content/file-state.ts';
import { refuseFault } from './end-transfer.ts';
import { sendRepresentation } from './send-representation.ts';
import { serveObjectFile } from './serve-object.ts';
import type { Serving } from './serving.ts';

const comparedWithinMs = 2000;

/**
 * Serves one file of a measurement, or ranges of it.
 *
 * @param compared Whether this call already waited for the comparison of a file whose modification
 * time changed.
 */
export async function serveFile(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  measurementId: string,
  indexText: string,
  compared = false,
): Promise<void> {
  const principal = principalOf(request);
  const { userId } = principal;
  const measurement = await serving.access.readable(principal, measurementId);
  const index = parseIndex(indexText);
  if (measurement.object_key !== null && index !== null) {
    const row = await serving.services.files.at(measurementId, index);
    if (row) return serveObjectFile(serving, request, reply, measurement, row, userId);
  }
  const file = index === null ? null : await serving.openFiles.find(measurement, index);
  if (!file)
    throw new HttpProblem(
      404,
      `Measurement ${measurementId} has ${countOf(measurement.file_count, 'file')}, counted from 0; there is no file with this index.`,
    );
  const what = { measurementId, what: 'file', fileIndex: file.row.idx, fileCount: measurement.file_count } as const;
  let descriptor: SharedDescriptor;
  try {
    descriptor = await serving.openFiles.acquire(file);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    if (compared || error.state !== 'unchecked') return refuseFault(serving, request, what, error);
    // Most comparisons finish before a client would retry.
    await markFault(serving.services, measurementId, error);
    await serving.services.unchecked.wait(measurementId, file.row.idx, comparedWithinMs);
    return serveFile(serving, request, reply, measurementId, indexText, true);
  }
  try {
    if (file.row.state !== 'ok') await markFound(serving.services, file.row);
    const source = {
      fd: descriptor.fd,
      root: file.root,
      syncIo: file.syncIo,
      file: file.row,
      measurementId,
      userId,
      checked: serving.checked,
    };
    await sendRepresentation(serving, request, reply, {
      ...what,
      description: file,
      length: file.row.length,
      source,
      internalAddress: isUntouched(file) ? serving.internalAddress(request.raw, file.path) : null,
      copy: (writer, start, end) => copyFile(writer, source, start, end),
    });
  } finally {
    serving.openFiles.release(descriptor);
  }
}
