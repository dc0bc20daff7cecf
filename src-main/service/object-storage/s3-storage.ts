import { createHash } from 'node:crypto';
import type { HttpTimeouts } from '../http-client/node-request.ts';
import { ObjectStorageError, type FillPart, type ListedObject, type ObjectStorage } from './object-storage.ts';
import { objectsIn, textsIn } from './s3-answers.ts';
import { S3Client, s3Timeouts } from './s3-client.ts';
import { S3Reader } from './s3-reader.ts';
import type { S3Settings } from './s3-settings.ts';

/** People wait for what is read. */
const quickTimeouts: HttpTimeouts = { connectMs: 3000, idleMs: 5000 };
const minPartBytes = 16 * 1024 * 1024;
/** Amazon allows 10,000. */
const maxParts = 9000;
const maxObjectBytes = 5 * 1024 ** 4;
const hashedInTurn = 512 * 1024;

/** A bucket of an S3-compatible storage, of which neither ETags nor conditional writes are used. */
export class S3Storage implements ObjectStorage {
  readonly #client: S3Client;
  readonly #reader: S3Reader;

  constructor(settings: S3Settings, timeouts: HttpTimeouts = s3Timeouts, readTimeouts: HttpTimeouts = quickTimeouts) {
    this.#client = new S3Client(settings, timeouts);
    this.#reader = new S3Reader(this.#client, readTimeouts);
  }

  get place(): string {
    const { bucket, prefix } = this.#client.settings;
    return `s3://${bucket}/${prefix}`;
  }

  async put(key: string, length: number, fill: FillPart, signal: AbortSignal): Promise<void> {
    if (length > maxObjectBytes)
      throw new ObjectStorageError('bad-answer', 'An object of the storage can have 5 TiB at most.');
    const buffer = Buffer.allocUnsafeSlow(Math.min(length, partBytesFor(length)));
    if (length <= minPartBytes) {
      await fill(buffer, 0, signal);
      await this.#send({ method: 'PUT', key }, buffer, signal);
    } else await this.#putParts(key, length, buffer, fill, signal);
    const stored = await this.lengthOf(key, signal);
    if (stored !== length)
      throw new ObjectStorageError('bad-answer', `The object storage kept ${stored ?? 0} of ${length} bytes.`);
  }

  async read(
    key: string,
    position: number,
    into: Buffer,
    signal: AbortSignal,
    onBytes?: (bytes: Buffer) => void,
  ): Promise<void> {
    await this.#reader.read(key, position, into, signal, onBytes);
  }

  async lengthOf(key: string, signal: AbortSignal): Promise<number | null> {
    const { status, headers } = await this.#client.send({ method: 'HEAD', key }, signal, [404]);
    if (status === 404) return null;
    const length = Number(headers['content-length'] ?? Number.NaN);
    if (Number.isSafeInteger(length)) return length;
    throw new ObjectStorageError('bad-answer', 'The object storage does not state the length of an object.');
  }

  async remove(key: string, signal: AbortSignal): Promise<void> {
    await this.#client.send({ method: 'DELETE', key }, signal, [404]);
  }

  async list(prefix: string, after: string, limit: number, signal: AbortSignal): Promise<readonly ListedObject[]> {
    const own = this.#client.settings.prefix;
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': String(limit),
      prefix: own + prefix,
      ...(after === '' ? {} : { 'start-after': own + after }),
    };
    const found = objectsIn(await this.#client.send({ method: 'GET', key: '', query }, signal));
    return found.map(({ key, length }) => ({ key: key.slice(own.length), length }));
  }

  close(): void {
    this.#client.close();
    this.#reader.close();
  }

  async #putParts(key: string, length: number, buffer: Buffer, fill: FillPart, signal: AbortSignal): Promise<void> {
    const begun = await this.#client.send({ method: 'POST', key, query: { uploads: '' } }, signal);
    const [uploadId] = textsIn(begun, 'UploadId');
    if (uploadId === undefined || uploadId === '')
      throw new ObjectStorageError('bad-answer', 'The object storage began no upload.');
    try {
      const etags: string[] = [];
      for (let position = 0; position < length; position += buffer.length) {
        const part = buffer.subarray(0, Math.min(buffer.length, length - position));
        await fill(part, position, signal);
        const query = { partNumber: String(etags.length + 1), uploadId };
        const { headers } = await this.#send({ method: 'PUT', key, query }, part, signal);
        etags.push(typeof headers['etag'] === 'string' ? headers['etag'] : '');
      }
      await this.#complete(key, uploadId, etags, signal);
    } catch (error) {
      // After a failure here its rest is removed by the bucket's rule for uploads that were begun.
      await this.#client
        .send({ method: 'DELETE', key, query: { uploadId } }, AbortSignal.timeout(s3Timeouts.idleMs), [404])
        .catch(() => {});
      throw error;
    }
  }

  async #complete(key: string, uploadId: string, etags: readonly string[], signal: AbortSignal): Promise<void> {
    const parts = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${xmlText(etag)}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    // 404 after an answer that was lost: it is complete already, or `put` finds another length.
    const answer = await this.#client.send({ method: 'POST', key, query: { uploadId }, body }, signal, [404]);
    // Amazon answers 200 before it knows, and may then send an error.
    if (textsIn(answer, 'Code').length > 0 && answer.status !== 404)
      throw this.#client.failureOf({ ...answer, status: 500 });
  }

  async #send(
    request: { readonly method: 'PUT'; readonly key: string; readonly query?: Readonly<Record<string, string>> },
    body: Buffer,
    signal: AbortSignal,
  ) {
    return this.#client.send({ ...request, body, sha256: await sha256Of(body) }, signal);
  }
}

function partBytesFor(length: number): number {
  const mebibyte = 1024 * 1024;
  return Math.max(minPartBytes, Math.ceil(length / maxParts / mebibyte) * mebibyte);
}

/** Hashes in slices, so that the event loop is not blocked. */
async function sha256Of(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += hashedInTurn) {
    hash.update(bytes.subarray(at, at + hashedInTurn));
    await new Promise(setImmediate);
  }
  return hash.digest('hex');
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
