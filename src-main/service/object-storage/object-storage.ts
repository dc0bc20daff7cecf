/** An object that a listing found. */
export interface ListedObject {
  readonly key: string;
  readonly length: number;
  /** When it was put, milliseconds since 1970; null when that is not stated. */
  readonly modifiedAt: number | null;
}

/** Fills a buffer with the bytes of a new object from a position on. */
export type FillPart = (part: Buffer, position: number, signal: AbortSignal) => Promise<void>;

/** A part of an object that is put as its bytes become known. */
export interface ObjectPart {
  readonly key: string;
  readonly uploadId: string;
  /** From 1 on. */
  readonly number: number;
  readonly body: Buffer;
  /** Of the body, hexadecimal. */
  readonly sha256: string;
}

/** A store of objects that are written once, such as a bucket. */
export interface ObjectStorage {
  /** For messages, for example `s3://bench/library`. */
  readonly place: string;
  /**
   * Stores an object in parts, each checked by the store against its SHA-256; it does not exist
   * before its last byte is there. An object with this key is replaced. Parts
   * that an interrupted call left in the storage are not sent again when their bytes are those that
   * would be sent; {@link endUploads} removes them.
   *
   * @throws ObjectStorageError, the signal's reason, or an error of `fill`.
   */
  put(key: string, length: number, fill: FillPart, signal: AbortSignal): Promise<void>;
  /**
   * Fills a buffer with bytes of an object from a position on.
   *
   * @param onBytes is called with them piece by piece, in order, while they are in the CPU's cache.
   * @throws ObjectStorageError, or the signal's reason.
   */
  read(
    key: string,
    position: number,
    into: Buffer,
    signal: AbortSignal,
    onBytes?: (bytes: Buffer) => void,
  ): Promise<void>;
  /** @returns the length in bytes, null when there is no such object. @throws ObjectStorageError */
  lengthOf(key: string, signal: AbortSignal): Promise<number | null>;
  /** Removes an object; one that is not there counts as removed. @throws ObjectStorageError */
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** Stores a small object whose SHA-256 (hexadecimal) is known. @throws ObjectStorageError, or the signal's reason. */
  putWhole(key: string, body: Buffer, sha256: string, signal: AbortSignal): Promise<void>;
  /** Begins an object that is put part by part. @returns the id of the upload. @throws ObjectStorageError */
  beginParts(key: string, signal: AbortSignal): Promise<string>;
  /**
   * Stores a part, checked by the store against its SHA-256; all parts but the last have one length of
   * at least 5 MiB. @returns its ETag.
   *
   * @throws ObjectStorageError, `missing` when the upload is not there any more, or the signal's reason.
   */
  putPart(part: ObjectPart, signal: AbortSignal): Promise<string>;
  /**
   * Makes an object of the parts of an upload, given their ETags in order. Called again it finds the
   * object.
   *
   * @throws ObjectStorageError, or the signal's reason.
   */
  completeParts(
    object: { readonly key: string; readonly length: number; readonly uploadId: string },
    etags: readonly string[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Ends one upload in parts; one that is not there counts as ended. @throws ObjectStorageError */
  endParts(key: string, uploadId: string, signal: AbortSignal): Promise<void>;
  /** Removes the parts of an object that was not put to its end. @throws ObjectStorageError */
  endUploads(key: string, signal: AbortSignal): Promise<void>;
  /** The next objects in the order of their keys, whose keys begin with a prefix. @throws ObjectStorageError */
  list(prefix: string, after: string, limit: number, signal: AbortSignal): Promise<readonly ListedObject[]>;
  close(): void;
}

/**
 * - `unreachable`: no answer, or one that says to try later, after all retries.
 * - `denied`: the credentials are wrong or may not do this.
 * - `missing`: no such object or bucket.
 * - `bad-answer`: an answer that does not fit the request.
 */
export type ObjectStorageFailure = 'unreachable' | 'denied' | 'missing' | 'bad-answer';

/** A request to the object storage that failed; its message contains no secret. */
export class ObjectStorageError extends Error {
  readonly failure: ObjectStorageFailure;

  constructor(failure: ObjectStorageFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ObjectStorageError';
    this.failure = failure;
  }
}
