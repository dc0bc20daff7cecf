import type { Database, Transaction } from '../../database/port/database.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';

/** From where on the bytes of an upload can be verified, without those before. */
export interface StreamCheckpoint {
  /** Index of the file that is next or has begun; the number of files after the last of them. */
  readonly member: number;
  /** Where its header begins in the archive, or the directory. */
  readonly member_offset: number;
  /** Where its line begins in the stored manifest. */
  readonly line: number;
  /** Bytes of header and file before this point, or bytes of the directory. */
  readonly position: number;
  /** Of the bytes of the file before this point. */
  readonly crc32: number;
}

/** A part that the object storage has, and the state after its last byte. */
export interface UploadPart extends StreamCheckpoint {
  /** From 1 on. */
  readonly number: number;
  /**
   * Of an upload without a manifest the SHA-256 of the part, hexadecimal. Of its checkpoint only the
   * position counts, which is that in the whole.
   */
  readonly etag: string;
}

/** A part of an upload without a manifest. */
export interface BodyPart extends Pick<UploadPart, 'number' | 'etag'> {
  /** Where it ends in the whole. */
  readonly position: number;
}

/** How far an upload is stored. */
export interface StoredBytes {
  /** The last part; null before the first. */
  readonly part: UploadPart | null;
  /** Bytes after it, in an object of their own. */
  readonly tailBytes: number;
}

/**
 * The parts of uploads in the object storage. What `writer` stores counts only while it has the right
 * to write (`UploadsStore.claim`); the others return false.
 */
export interface UploadPartsStore {
  stored(uploadId: string): Promise<StoredBytes>;
  /** The ETags of all parts, in order. */
  etags(uploadId: string): Promise<readonly string[]>;
  /** The parts of an upload without a manifest, in order. */
  body(uploadId: string): Promise<readonly BodyPart[]>;
  begin(uploadId: string, writer: string, objectUpload: string): Promise<boolean>;
  add(uploadId: string, writer: string, part: UploadPart): Promise<boolean>;
  setTail(uploadId: string, writer: string, bytes: number): Promise<boolean>;
}

type PartRow = { readonly [Name in keyof UploadPart]: UploadPart[Name] | null } & { readonly tail_bytes: number };

const stored = read<[string], PartRow>(
  `SELECT tail_bytes, number, etag, member, member_offset, line, position, crc32
   FROM uploads LEFT JOIN upload_parts ON upload_id = id
   WHERE id = ? ORDER BY ifnull(number, 0) DESC LIMIT 1`,
);
const etags = readValue<[string], string>('SELECT etag FROM upload_parts WHERE upload_id = ? ORDER BY number');
const body = read<[string], BodyPart>(
  'SELECT number, etag, position FROM upload_parts WHERE upload_id = ? ORDER BY number',
);
const begin = write<{ id: string; writer: string; objectUpload: string }>(
  'UPDATE uploads SET object_upload = @objectUpload WHERE id = @id AND writer = @writer AND ended_at IS NULL',
);
const setTail = write<{ id: string; writer: string; bytes: number }>(
  'UPDATE uploads SET tail_bytes = @bytes WHERE id = @id AND writer = @writer AND ended_at IS NULL',
);
const add = write<UploadPart & { id: string }>(
  `INSERT INTO upload_parts (upload_id, number, etag, member, member_offset, line, position, crc32)
   VALUES (@id, @number, @etag, @member, @member_offset, @line, @position, @crc32)
   ON CONFLICT (upload_id, number) DO UPDATE SET etag = excluded.etag`,
);

export function uploadPartsStore(database: Database): UploadPartsStore {
  return {
    stored: async (uploadId) => storedOf(await database.one(stored, uploadId)),
    etags: async (uploadId) => database.all(etags, uploadId),
    body: async (uploadId) => database.all(body, uploadId),
    begin: async (id, writer, objectUpload) => (await database.run(begin, { id, writer, objectUpload })) > 0,
    add: async (id, writer, part) => database.transaction(() => addPart(id, writer, part)),
    setTail: async (id, writer, bytes) => (await database.run(setTail, { id, writer, bytes })) > 0,
  };
}

function* addPart(id: string, writer: string, part: UploadPart): Transaction<boolean> {
  if ((yield* run(setTail, { id, writer, bytes: 0 })) === 0) return false;
  yield* run(add, { id, ...part });
  return true;
}

function storedOf(row: PartRow | null): StoredBytes {
  if (row === null) return { part: null, tailBytes: 0 };
  const { tail_bytes: tailBytes, ...part } = row;
  return { part: isPart(part) ? part : null, tailBytes };
}

function isPart(part: Omit<PartRow, 'tail_bytes'>): part is UploadPart {
  return part.number !== null;
}
