import type { FastifyReply, FastifyRequest } from 'fastify';
import { localHeaderLength } from '../../../../src-shared/archive/zip-format.ts';
import { HttpProblem } from '../../common/problem.ts';
import { describeArchive, describeFile } from '../content/serve-headers.ts';
import { blockCacheOf } from '../objects/block-cache-settings.ts';
import { copyObject, type ObjectSource } from '../objects/copy-object.ts';
import { objectOf } from '../objects/object-blocks.ts';
import type { FileRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { sendRepresentation } from './send-representation.ts';
import type { Serving } from './serving.ts';

/** Serves the archive of a measurement from its object, or ranges of it. */
export async function serveObjectArchive(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  measurement: MeasurementRow,
  userId: number,
): Promise<void> {
  const source = objectSource(serving, measurement, userId);
  await sendRepresentation(serving, request, reply, {
    measurementId: measurement.id,
    what: 'archive',
    fileIndex: null,
    fileCount: measurement.file_count,
    description: describeArchive(measurement, serving.archives),
    length: measurement.archive_bytes,
    copy: (writer, start, end) => copyObject(writer, source, null, start, end),
  });
}

/** Serves a file of a measurement, which is a range of its object, or ranges of it. */
export async function serveObjectFile(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  measurement: MeasurementRow,
  row: FileRow,
  userId: number,
): Promise<void> {
  const source = objectSource(serving, measurement, userId);
  const offset = row.archive_offset + localHeaderLength(row);
  await sendRepresentation(serving, request, reply, {
    measurementId: measurement.id,
    what: 'file',
    fileIndex: row.idx,
    fileCount: measurement.file_count,
    description: describeFile(row),
    length: row.length,
    copy: (writer, start, end) => copyObject(writer, source, row, offset + start, offset + end),
  });
}

/** Returns the source of the bytes of an object. @throws HttpProblem 503 in a service without object storage. */
export function objectSource(
  { objects, services, syncIoPolicies }: Serving,
  measurement: MeasurementRow,
  userId: number,
): ObjectSource {
  const object = objectOf(measurement);
  if (objects && object) {
    const { folder } = blockCacheOf(services.config);
    return { object, blocks: objects, syncIo: syncIoPolicies.of(folder), files: services.files, userId };
  }
  throw new HttpProblem(
    503,
    `Measurement ${measurement.id} lies in an object storage that this server is not set up for. Tell its administrator.`,
    { type: 'storage-unavailable', headers: { 'retry-after': '60' } },
  );
}
