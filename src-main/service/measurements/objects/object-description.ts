import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { MeasurementStores } from '../store/stores.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';

const rowsPerSlice = 256;
/** Increment with any change that an older version cannot read. */
const descriptionVersion = 1;

/** The first line of a description. */
export interface ObjectHeader {
  readonly benchport: typeof descriptionVersion;
  readonly id: string;
  readonly title: string;
  /** User name. */
  readonly owner: string;
  readonly createdAt: number;
  readonly registeredAt: number;
  readonly archive: {
    readonly layout: number;
    readonly length: number;
    readonly directoryOffset: number;
    readonly tag: string;
    /** CRC-32 of each block of 4 MiB, 32 bits little-endian each, base64. */
    readonly blocks: string;
  };
}

/** A line of a description for each file, in order. */
export interface DescribedFile {
  readonly path: string;
  readonly length: number;
  readonly crc32: number;
  readonly sha256: string;
  readonly modifiedNs: string;
  readonly registeredAt: number;
  readonly archiveOffset: number;
  readonly directoryOffset: number;
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
    archiveOffset: row.archive_offset,
    directoryOffset: row.directory_offset,
  };
}
