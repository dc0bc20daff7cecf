import { getFips } from 'node:crypto';
import { hashInTurns } from './hash-in-turns.ts';
import { ObjectStorageError, type FillPart, type ObjectPart } from './object-storage.ts';
import { errorCodeOf, partListIn, textsIn, uploadsIn, type StoredPart } from './s3-answers.ts';
import { s3Timeouts, type S3Client } from './s3-client.ts';

/** An object that is sent in parts. */
export interface ObjectInParts {
  readonly key: string;
  /** In bytes. */
  readonly length: number;
  /** Length of each part but the last. */
  readonly partBytes: number;
  readonly fill: FillPart;
}

/** An upload in parts, with those of its parts that the storage has. */
interface Upload {
  readonly id: string;
  readonly parts: ReadonlyMap<number, StoredPart>;
}

/**
 * Puts an object in parts (Amazon S3 API, multipart upload). An upload of this key that an earlier
 * attempt, perhaps of another process, left behind goes on: a part that the storage has is not sent
 * again when its length and its ETag, the MD5 of its bytes, are those of what would be sent. Where
 * ETags are something else, every part is sent. After an error the upload stays, unless the storage
 * says that it cannot be completed: then another one is begun, once.
 *
 * @throws ObjectStorageError, the signal's reason, or an error of `fill`.
 */
export async function putInParts(client: S3Client, object: ObjectInParts, signal: AbortSignal): Promise<void> {
  const begun = await begunUploads(client, object.key, signal);
  let upload = await continuedUpload(client, object.key, begun.at(-1), signal);
  for (let attempt = 1; ; attempt += 1) {
    upload ??= { id: await beginParts(client, object.key, signal), parts: new Map() };
    try {
      await completeParts(client, object, upload.id, await sendParts(client, object, upload, signal), signal);
      break;
    } catch (error) {
      // It may have been ended by somebody else, or lack a part that was listed.
      const isLost = error instanceof ObjectStorageError && ['missing', 'bad-answer'].includes(error.failure);
      if (!isLost) throw error;
      await endUpload(client, object.key, upload.id);
      if (attempt === 2) throw error;
      upload = null;
    }
  }
  for (const id of begun) if (id !== upload.id) await endUpload(client, object.key, id);
}

/** Ends all uploads in parts of a key. @throws ObjectStorageError, or the signal's reason. */
export async function endUploads(client: S3Client, key: string, signal: AbortSignal): Promise<void> {
  for (const uploadId of await begunUploads(client, key, signal)) await endParts(client, key, uploadId, signal);
}

/** Ids of the uploads of a key, the last begun at the end; none where the storage does not list them. */
async function begunUploads(client: S3Client, key: string, signal: AbortSignal): Promise<readonly string[]> {
  const prefix = `${client.settings.prefix}${key}`;
  const answer = await unlessRefused(client.send({ method: 'GET', key: '', query: { uploads: '', prefix } }, signal));
  if (!answer) return [];
  const own = uploadsIn(answer).filter((upload) => upload.key === prefix);
  return own.toSorted((a, b) => (a.initiated < b.initiated ? -1 : 1)).map(({ id }) => id);
}

async function continuedUpload(
  client: S3Client,
  key: string,
  id: string | undefined,
  signal: AbortSignal,
): Promise<Upload | null> {
  if (id === undefined) return null;
  const parts = new Map<number, StoredPart>();
  for (let marker = 0; ;) {
    const query = { uploadId: id, ...(marker === 0 ? {} : { 'part-number-marker': String(marker) }) };
    const answer = await unlessRefused(client.send({ method: 'GET', key, query }, signal));
    if (!answer) return null;
    const list = partListIn(answer);
    for (const part of list.parts) parts.set(part.number, part);
    const last = list.parts.at(-1)?.number ?? 0;
    // A list that does not go on ends here; what it leaves out is sent again.
    if (!list.isTruncated || last <= marker) return { id, parts };
    marker = last;
  }
}

/** @returns null for an answer that no repetition changes, such as that of a storage without lists. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ObjectStorageError && error.failure !== 'unreachable') return null;
    throw error;
  }
}

/** Begins an upload in parts. @returns its id. @throws ObjectStorageError, or the signal's reason. */
export async function beginParts(client: S3Client, key: string, signal: AbortSignal): Promise<string> {
  const [id = ''] = textsIn(await client.send({ method: 'POST', key, query: { uploads: '' } }, signal), 'UploadId');
  if (id === '') throw new ObjectStorageError('bad-answer', 'The object storage began no upload.');
  return id;
}

/** Ends one upload in parts; one that is not there counts as ended. @throws ObjectStorageError */
export async function endParts(client: S3Client, key: string, uploadId: string, signal: AbortSignal): Promise<void> {
  await client.send({ method: 'DELETE', key, query: { uploadId } }, signal, [404]);
}

/**
 * Sends a part. @returns its ETag.
 *
 * @throws ObjectStorageError, `missing` when the storage does not know the upload any more.
 */
export async function putPart(
  client: S3Client,
  { key, uploadId, number, body, sha256 }: ObjectPart,
  signal: AbortSignal,
): Promise<string> {
  const query = { partNumber: String(number), uploadId };
  const answer = await client.send({ method: 'PUT', key, query, body, sha256 }, signal, [404]);
  if (answer.status === 404) {
    // A bucket that is away for a moment is no reason to begin anew.
    const isLost = errorCodeOf(answer) === 'NoSuchUpload';
    throw isLost ? client.failureOf(answer) : client.failureOf({ ...answer, status: 503 });
  }
  return typeof answer.headers['etag'] === 'string' ? answer.headers['etag'] : '';
}

/** @returns the ETags of all parts, in order. */
async function sendParts(
  client: S3Client,
  { key, length, partBytes, fill }: ObjectInParts,
  upload: Upload,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const buffer = Buffer.allocUnsafeSlow(partBytes);
  const etags: string[] = [];
  for (let position = 0; position < length; position += partBytes) {
    const part = buffer.subarray(0, Math.min(partBytes, length - position));
    await fill(part, position, signal);
    const number = etags.length + 1;
    etags.push((await etagOfSame(upload.parts.get(number), part)) ?? (await sendPart(number, part)));
  }
  return etags;

  async function sendPart(number: number, body: Buffer): Promise<string> {
    const sha256 = await hashInTurns('sha256', body);
    return putPart(client, { key, uploadId: upload.id, number, body, sha256 }, signal);
  }
}

/** @returns the ETag of a stored part that has these bytes; null for another one. */
async function etagOfSame(stored: StoredPart | undefined, bytes: Buffer): Promise<string | null> {
  // There is no MD5 in FIPS mode.
  if (stored?.length !== bytes.length || getFips() === 1) return null;
  return stored.etag.replaceAll('"', '') === (await hashInTurns('md5', bytes)) ? stored.etag : null;
}

/** Makes an object of the parts of an upload; one that is complete already counts. @throws ObjectStorageError */
export async function completeParts(
  client: S3Client,
  { key, length }: Pick<ObjectInParts, 'key' | 'length'>,
  uploadId: string,
  etags: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const parts = etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${xmlText(etag)}</ETag></Part>`);
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const answer = await client.send({ method: 'POST', key, query: { uploadId }, body }, signal, [404]);
  if (answer.status === 404) {
    // After an answer that was lost it is complete already.
    const { headers } = await client.send({ method: 'HEAD', key }, signal, [404]);
    if (Number(headers['content-length']) !== length) throw client.failureOf(answer);
  }
  // Amazon answers 200 before it knows, and may then send an error.
  else if (textsIn(answer, 'Code').length > 0) throw client.failureOf({ ...answer, status: 500 });
}

/** Ends an upload; one that cannot be ended now is found by {@link endUploads}. */
async function endUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  await endParts(client, key, uploadId, AbortSignal.timeout(s3Timeouts.idleMs)).catch(() => {});
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
