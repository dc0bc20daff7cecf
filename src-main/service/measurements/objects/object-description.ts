import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseJson } from '../../common/parse-json.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';

const rowsPerSlice = 256;
/** Increment with any change that an older version cannot read. */
const descriptionVersion = 1;

/** The first line of a description; times in milliseconds since 1970. */
const ObjectHeader = Type.Object({
  benchport: Type.Literal(descriptionVersion),
  id: Type.String({ maxLength: 128 }),
  title: Type.String({ maxLength: 1000 }),
  /** User name. */
  owner: Type.String({ maxLength: 255 }),
  createdAt: Type.Integer(),
  registeredAt: Type.Integer(),
  /** Times of its files; missing in descriptions of before. */
  beganAt: Type.Optional(Type.Integer()),
  endedAt: Type.Optional(Type.Integer()),
  archive: Type.Object({
    layout: Type.Integer(),
    length: Type.Integer({ minimum: 22 }),
    directoryOffset: Type.Integer({ minimum: 0 }),
    tag: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    /** CRC-32 of each block of 4 MiB, 32 bits little-endian each, base64. */
    blocks: Type.String(),
  }),
});
export type ObjectHeader = Type.Static<typeof ObjectHeader>;

/** A line of a description for each file, in order. */
const DescribedFile = Type.Object({
  path: Type.String({ minLength: 1 }),
  length: Type.Integer({ minimum: 0 }),
  crc32: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  modifiedNs: Type.String({ pattern: '^-?[0-9]{1,20}$' }),
  registeredAt: Type.Integer(),
  /** As the manifest has it. */
  piecesSha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
});
export type DescribedFile = Type.Static<typeof DescribedFile>;

const headerSchema = Compile(ObjectHeader);
const fileSchema = Compile(DescribedFile);

/** Reads the first line of a description. @returns null when it is none of this version. */
export function readHeader(line: string): ObjectHeader | null {
  const value = parseJson(`${line}]}`);
  return headerSchema.Check(value) ? value : null;
}

/** Reads the line of a file. @returns null when it is none. */
export function readFileLine(line: string): DescribedFile | null {
  const value = parseJson(line.replace(/,$/, ''));
  return fileSchema.Check(value) ? value : null;
}

/**
 * Writes all that is needed to find a measurement again from the object storage alone: one JSON
 * document, with the header in its first line and a file in each further one.
 */
export async function writeDescription(
  { files }: Pick<MeasurementStores, 'files'>,
  measurement: MeasurementRow,
  owner: string,
  blocks: Uint8Array,
  target: string,
): Promise<void> {
  const stream = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  const header: ObjectHeader = {
    benchport: descriptionVersion,
    id: measurement.id,
    title: measurement.title,
    owner,
    createdAt: measurement.created_at,
    registeredAt: measurement.registered_at ?? Date.now(),
    ...(measurement.began_at === null || measurement.ended_at === null
      ? {}
      : { beganAt: measurement.began_at, endedAt: measurement.ended_at }),
    archive: {
      layout: measurement.archive_layout,
      length: measurement.archive_bytes,
      directoryOffset: measurement.archive_directory_offset,
      tag: measurement.archive_tag,
      blocks: Buffer.from(blocks).toString('base64'),
    },
  };
  stream.write(`${JSON.stringify(header).slice(0, -1)},"files":[\n`);
  for (let index = 0; ;) {
    const rows = await files.from(measurement.id, index, rowsPerSlice);
    const last = rows.at(-1);
    if (!last) break;
    const lines = rows.map((row) => JSON.stringify(described(row)));
    if (!stream.write(`${index === 0 ? '' : ',\n'}${lines.join(',\n')}`)) await once(stream, 'drain');
    index = last.idx + 1;
  }
  stream.end('\n]}\n');
  await once(stream, 'finish');
}

type Row = Awaited<ReturnType<MeasurementStores['files']['from']>>[number];

function described(row: Row): DescribedFile {
  return {
    path: row.path,
    length: row.length,
    crc32: row.crc32,
    sha256: row.sha256.toString('hex'),
    modifiedNs: row.mtime_ns,
    registeredAt: row.registered_at,
    ...(row.pieces_sha256 ? { piecesSha256: row.pieces_sha256.toString('hex') } : {}),
  };
}
