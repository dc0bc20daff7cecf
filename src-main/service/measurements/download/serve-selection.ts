import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidRequest } from '../../common/problem.ts';
import { principalOf } from '../../http/authentication.ts';
import { copyArchive } from '../content/copy-archive.ts';
import type { ResponseWriter } from '../content/response-writer.ts';
import { describeSelection } from '../content/serve-headers.ts';
import { copyObject } from '../objects/copy-object.ts';
import { copySelection } from '../selection/copy-selection.ts';
import type { SelectionLayout } from '../selection/layout.ts';
import { isAll, parseSelection } from '../../files/file-ranges.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { refuseKnownFaultsOf } from './refuse-known-faults.ts';
import { sendRepresentation } from './send-representation.ts';
import { archiveSource, serveArchive } from './serve-archive.ts';
import { objectSource } from './serve-object.ts';
import type { Serving } from './serving.ts';

/** Refuses a missing or repeated list before the schema does, in words that say what to do. */
export async function requireOneList({ query, params }: FastifyRequest): Promise<void> {
  const { files } = query as { readonly files?: unknown };
  const { measurementId } = params as { readonly measurementId: string };
  if (files === undefined)
    throw invalidRequest(
      `\`files\` is missing. Name the files, such as files=0-3,7; the ZIP of all files is at /measurements/${measurementId}.`,
    );
  if (Array.isArray(files)) throw invalidRequest('`files` is given more than once. Name all files in one list.');
}

/**
 * Serves some files of a measurement as one ZIP, or ranges of it. All files are the archive of the
 * measurement itself.
 *
 * @param list indexes and ranges of the manifest, such as `0-3,7,12-`.
 */
export async function serveSelection(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  measurementId: string,
  list: string,
): Promise<void> {
  const principal = principalOf(request);
  const measurement = await serving.access.readable(principal, measurementId);
  const selection = parseSelection(list, measurement.file_count);
  if (isAll(selection, measurement.file_count)) return serveArchive(serving, request, reply, measurementId);
  const { files } = serving.services;
  const layout = await serving.layouts.of(files, measurement, selection).catch(async (error: unknown) => {
    // Its rows are gone when it was removed meanwhile.
    await serving.access.readable(principal, measurementId);
    throw error;
  });
  const members = membersOf(serving, measurement, layout, principal.userId);
  const source = { measurementId, layout, files, copyMembers: members.copy };
  await sendRepresentation(serving, request, reply, {
    measurementId,
    what: 'archive',
    fileIndex: null,
    fileCount: measurement.file_count,
    selection,
    description: describeSelection(measurement, selection),
    length: layout.length,
    copy: async (writer, start, end) => {
      await members.check(start, end);
      await copySelection(writer, source, start, end);
    },
  });
}

/** The members of a selection, wherever they lie. */
interface Members {
  /** Reports known problems of files in a range of the archive. @throws FileFault */
  readonly check: (start: number, end: number) => Promise<void>;
  /** Writes bytes by their offsets in the archive of all files. */
  readonly copy: (writer: ResponseWriter, start: number, end: number) => Promise<void>;
}

/** @throws HttpProblem 503 for an object in a service without object storage. */
function membersOf(serving: Serving, measurement: MeasurementRow, layout: SelectionLayout, userId: number): Members {
  if (measurement.object_key !== null) {
    const object = objectSource(serving, measurement, userId);
    return {
      check: async () => {},
      copy: async (writer, start, end) => copyObject(writer, object, null, start, end),
    };
  }
  const source = archiveSource(serving, measurement, userId);
  return {
    check: async (start, end) => {
      if (measurement.problem_count > 0) await refuseKnownFaultsOf(serving.services, source, layout.spans, start, end);
    },
    copy: async (writer, start, end) => copyArchive(writer, source, start, end),
  };
}
