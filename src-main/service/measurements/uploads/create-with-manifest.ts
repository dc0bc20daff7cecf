import type { IncomingMessage } from 'node:http';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '../../common/parse-json.ts';
import { HttpProblem, invalidRequest } from '../../common/problem.ts';
import type { Principal } from '../../http/principal.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import type { MeasurementAccess } from '../access/access.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import { createUpload, idTaken, requireDisk, type CreateUploadDeps } from './create-upload.ts';
import { putManifest } from './direct/manifest-object.ts';
import { storageFailure } from './direct/part-sender.ts';
import { localFolderOf } from './direct/upload-objects.ts';
import { linesOf } from './lines-of.ts';
import { fileOfLine, manifestName } from './members/expected-file.ts';
import type { ReceiveThread } from './members/receive-thread.ts';
import { receivedText } from './received-text.ts';
import {
  parseLine,
  readHead,
  storeManifest,
  type ManifestHead,
  type StoredManifest,
} from './members/store-manifest.ts';
import { folderOf, newUploadId } from './upload-files.ts';

const maxLineBytes = 256 * 1024;
const maxDocumentBytes = 8 * 1024 * 1024;
const rowsPerSlice = 1000;
const storeTimeoutMs = 60_000;
export const linesType = 'application/x-ndjson';

export type CreateWithManifestDeps = CreateUploadDeps &
  Pick<MeasurementStores, 'files' | 'measurements'> & {
    readonly access: MeasurementAccess;
    readonly objectStorage: ObjectStorage | null;
  };

/** An upload, or the measurement that has the same files already. */
export type CreatedUpload =
  | { readonly upload: UploadRow; readonly isNew: boolean }
  | { readonly measurement: MeasurementRow };

/**
 * Begins an upload with the list of its files, from which all bytes of its archive but those of the
 * files follow. A second request with the same list goes on with the first upload, or finds the
 * measurement.
 *
 * @param body One JSON document, or a line for the measurement and then one for each file.
 * @throws HttpProblem as `createUpload`, and 422 for files that cannot be those of a measurement.
 */
export async function createWithManifest(
  deps: CreateWithManifestDeps,
  thread: ReceiveThread,
  principal: Principal,
  body: IncomingMessage,
): Promise<CreatedUpload> {
  const id = newUploadId();
  const { objectStorage } = deps;
  await requireDisk(deps, objectStorage !== null);
  // In an object storage nothing of it has to lie where other replicas see it.
  const folder = objectStorage === null ? folderOf(deps, id) : localFolderOf(deps, id);
  let isKept = false;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const manifest = await read(folder, body);
    const { shown, total } = await thread.call('checkNames', [folder]);
    if (total > 0)
      throw new HttpProblem(422, `${shown.slice(0, 3).join('. ')}.${total > 3 ? ` And ${total - 3} more.` : ''}`, {
        type: 'bad-manifest',
      });
    const there = await sameMeasurement(deps, principal, folder, manifest);
    if (there !== null) return { measurement: there };
    const { head, archive, tag, times } = manifest;
    const created = await createUpload(deps, principal, {
      id,
      measurementId: head.id,
      title: head.title,
      project: head.project,
      fileName: manifestName,
      length: archive.archiveBytes,
      manifest: {
        tag,
        files: archive.files,
        directoryOffset: archive.directoryOffset,
        times,
        objectKey: objectStorage === null ? null : objectKeyOf({ id: head.id, archive_tag: tag }),
      },
    });
    if (objectStorage !== null && created.object_key !== null) await store(objectStorage, created.id, folder);
    isKept = created.id === id;
    return { upload: created, isNew: isKept };
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

/** Puts the manifest where all replicas find it; the row is there before, so that it is found to be removed. */
async function store(storage: ObjectStorage, id: string, folder: string): Promise<void> {
  try {
    await putManifest(storage, id, folder, AbortSignal.timeout(storeTimeoutMs));
  } catch (error) {
    throw storageFailure(error);
  }
}

async function read(folder: string, body: IncomingMessage): Promise<StoredManifest> {
  const type = body.headers['content-type'] ?? '';
  if (type.startsWith(linesType)) {
    const lines = linesOf(receivedText(body), maxLineBytes);
    try {
      const { value: first } = await lines.next();
      const head = readHead(first === undefined ? null : parseLine(first));
      return await storeManifest(folder, head, valuesOf(lines));
    } finally {
      await lines.return(undefined);
    }
  }
  const { head, entries } = await readDocument(body);
  return storeManifest(folder, head, entries);
}

async function* valuesOf(lines: AsyncIterable<Buffer>): AsyncGenerator {
  for await (const line of lines) yield parseLine(line);
}

async function readDocument(
  body: IncomingMessage,
): Promise<{ readonly head: ManifestHead; readonly entries: AsyncIterable<unknown> }> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of receivedText(body)) {
    length += part.length;
    if (length > maxDocumentBytes)
      throw new HttpProblem(413, `Send a manifest of more than ${maxDocumentBytes} bytes as lines (${linesType}).`);
    parts.push(part);
  }
  const document = parseJson(Buffer.concat(parts).toString('utf8'));
  const head = readHead(document);
  const entries = (document as { readonly manifest?: unknown }).manifest;
  if (!Array.isArray(entries)) throw invalidRequest('"manifest" must be a list of files.');
  return { head, entries: listed(entries) };
}

async function* listed(entries: readonly unknown[]): AsyncGenerator {
  yield* entries;
}

/**
 * The measurement with this id, if it has the same files and the user may read it.
 *
 * @throws HttpProblem 409 when it has others.
 */
async function sameMeasurement(
  deps: CreateWithManifestDeps,
  principal: Principal,
  folder: string,
  { head, archive, bytes }: StoredManifest,
): Promise<MeasurementRow | null> {
  const measurement = await deps.measurements.byId(head.id);
  if (measurement === null || measurement.state === 'registering') return null;
  const mayBe = measurement.file_count === archive.files && measurement.total_bytes === bytes;
  if (!mayBe || !(await deps.access.mayStillRead(principal, measurement.id))) throw idTaken(head.id);
  const stored = linesOf(createReadStream(path.join(folder, manifestName)), maxLineBytes);
  try {
    for (let index = 0; index < archive.files; index += rowsPerSlice) {
      for (const row of await deps.files.from(measurement.id, index, rowsPerSlice)) {
        const { value } = await stored.next();
        const file = value === undefined ? null : fileOfLine(value.toString('utf8'));
        if (file?.path !== row.path || file.length !== row.length || file.sha256 !== row.sha256.toString('hex'))
          throw idTaken(head.id);
      }
    }
    return measurement;
  } finally {
    await stored.return(undefined);
  }
}
