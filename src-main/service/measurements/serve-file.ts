import type { FastifyReply, FastifyRequest } from 'fastify';
import { countOf } from '../count-of.ts';
import { principalOf } from '../http/authentication.ts';
import { HttpProblem } from '../http/problem.ts';
import { copyFile } from './copy-file.ts';
import { FileFault } from './file-faults.ts';
import { markFound } from './mark-file.ts';
import { parseIndex } from './measurement-id.ts';
import type { SharedDescriptor } from './open-files.ts';
import { refuseFault } from './end-transfer.ts';
import { sendRepresentation } from './send-representation.ts';
import type { Serving } from './serving.ts';

/** One file of a measurement, or ranges of it. */
export async function serveFile(serving: Serving, request: FastifyRequest, reply: FastifyReply, measurementId: string, indexText: string): Promise<void> {
  const measurement = await serving.access.readable(principalOf(request), measurementId);
  const index = parseIndex(indexText);
  const file = index === null ? null : await serving.openFiles.find(measurement, index);
  if (!file)
    throw new HttpProblem(404, `Measurement ${measurementId} has ${countOf(measurement.file_count, 'file')}, counted from 0; this index is none of them.`);
  const what = { measurementId, what: 'file', fileIndex: file.row.idx } as const;
  let descriptor: SharedDescriptor;
  try {
    descriptor = await serving.openFiles.acquire(file);
  } catch (error) {
    if (error instanceof FileFault) return refuseFault(serving, request, what, error);
    throw error;
  }
  try {
    if (file.row.state !== 'ok') await markFound(serving.services, file.row);
    const source = { fd: descriptor.fd, root: file.root, pace: file.pace, file: file.row };
    await sendRepresentation(serving, request, reply, {
      ...what,
      description: file,
      length: file.row.length,
      source,
      internalAddress: serving.internalAddress(request.raw, file.path),
      copy: (outlet, start, end) => copyFile(outlet, source, start, end),
    });
  } finally {
    serving.openFiles.release(descriptor);
  }
}
