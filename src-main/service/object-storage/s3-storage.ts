import type { HttpTimeouts } from '../http-client/node-request.ts';
import {
  ObjectStorageError,
  type FillPart,
  type ListedObject,
  type ObjectPart,
  type ObjectStorage,
} from './object-storage.ts';
import { hashInTurns } from './hash-in-turns.ts';
import { partBytesFor } from './part-bytes.ts';
import { objectsIn } from './s3-answers.ts';
import { S3Client, s3Timeouts } from './s3-client.ts';
import { beginParts, completeParts, endParts, endUploads, putInParts, putPart } from './s3-parts.ts';
import { S3Reader } from './s3-reader.ts';
import type { S3Settings } from './s3-settings.ts';

/** People wait for what is read. */
const quickTimeouts: HttpTimeouts = { connectMs: 3000, idleMs: 5000 };
const minPartBytes = 16 * 1024 * 1024;
const maxObjectBytes = 5 * 1024 ** 4;

/** A bucket of an S3-compatible storage, whose conditional writes are not used. */
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
    if (length <= minPartBytes) {
      const body = Buffer.allocUnsafeSlow(length);
      await fill(body, 0, signal);
      await this.putWhole(key, body, await hashInTurns('sha256', body), signal);
    } else await putInParts(this.#client, { key, length, partBytes: partBytesFor(length, minPartBytes), fill }, signal);
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

  async putWhole(key: string, body: Buffer, sha256: string, signal: AbortSignal): Promise<void> {
    await this.#client.send({ method: 'PUT', key, body, sha256 }, signal);
  }

  async beginParts(key: string, signal: AbortSignal): Promise<string> {
    return beginParts(this.#client, key, signal);
  }

  async putPart(part: ObjectPart, signal: AbortSignal): Promise<string> {
    return putPart(this.#client, part, signal);
  }

  async completeParts(
    object: { readonly key: string; readonly length: number; readonly uploadId: string },
    etags: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    await completeParts(this.#client, object, object.uploadId, etags, signal);
  }

  async endParts(key: string, uploadId: string, signal: AbortSignal): Promise<void> {
    await endParts(this.#client, key, uploadId, signal);
  }

  async endUploads(key: string, signal: AbortSignal): Promise<void> {
    await endUploads(this.#client, key, signal);
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
    return found.map((object) => ({ ...object, key: object.key.slice(own.length) }));
  }

  close(): void {
    this.#client.close();
    this.#reader.close();
  }
}
