import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import { copyArchive, type ArchiveSource } from '../content/copy-archive.ts';
import { absolutePathOf, rootOf } from '../storage/file-storage.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { sendRepresentation } from './send-representation.ts';
import { refuseKnownFaults } from './refuse-known-faults.ts';
import { serveObjectArchive } from './serve-object.ts';
import { describeArchive } from '../content/serve-headers.ts';
import type { Serving } from './serving.ts';

/** Serves all files of a measurement as one ZIP, or ranges of it. */
export async function serveArchive(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  measurementId: string,
): Promise<void> {
  const measurement = await serving.access.readable(principalOf(request), measurementId);
  const { userId } = principalOf(request);
  if (measurement.object_key !== null) return serveObjectArchive(serving, request, reply, measurement, userId);
  const source = archiveSource(serving, measurement, userId);
  await sendRepresentation(serving, request, reply, {
    measurementId,
    what: 'archive',
    fileIndex: null,
    fileCount: measurement.file_count,
    description: describeArchive(measurement, serving.archives),
    length: measurement.archive_bytes,
    copy: async (writer, start, end) => {
      if (measurement.problem_count > 0) await refuseKnownFaults(serving.services, source, start, end);
      await copyArchive(writer, source, start, end);
    },
  });
}

/** Returns the source of the archive's bytes. */
export function archiveSource(serving: Serving, measurement: MeasurementRow, userId: number): ArchiveSource {
  const { paths, files } = serving.services;
  const root = rootOf(paths, measurement);
  return {
    measurement,
    files,
    root,
    syncIo: serving.syncIoPolicies.of(root),
    kernel: serving.kernel,
    checked: serving.checked,
    userId,
    pathOf: (file) => absolutePathOf(paths, measurement, file),
  };
}
