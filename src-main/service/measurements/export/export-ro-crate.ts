import path from 'node:path';
import { nounOf } from '../../common/count-of.ts';
import { mediaTypeOf } from '../../http/semantics/media-type.ts';
import { leftOutFile, leftOutText, leftOutWords } from './export-left-out.ts';
import { fileSlices, writeText } from './export-text.ts';
import type { FileRow } from '../store/files-store.ts';
import type { LeftOut } from '../store/left-out-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { MeasurementStores } from '../store/stores.ts';

const noLicense = '#license-not-stated';

/**
 * Writes the RO-Crate 1.2 description of the payload in `data/`; the files are one level down so
 * that none can have the name of the description.
 */
export async function writeCrate(
  services: Pick<MeasurementStores, 'files' | 'leftOut'>,
  measurement: MeasurementRow,
  crate: string,
): Promise<void> {
  const leftOut = await services.leftOut.of(measurement.id);
  const list = leftOut && (await writeList(crate, leftOut));
  await writeText(path.join(crate, 'ro-crate-metadata.json'), metadata(services, measurement, list));
}

/** The written list of names left out, as a file beside the payload. */
interface WrittenList {
  readonly leftOut: LeftOut;
  readonly bytes: number;
  readonly sha256: string;
}

async function writeList(crate: string, leftOut: LeftOut): Promise<WrittenList> {
  const text = leftOutText(leftOut);
  return { leftOut, bytes: Buffer.byteLength(text), sha256: await writeText(path.join(crate, leftOutFile), [text]) };
}

async function* metadata(
  services: Pick<MeasurementStores, 'files'>,
  measurement: MeasurementRow,
  list: WrittenList | null,
): AsyncGenerator<string> {
  const contents = `${measurement.file_count} ${nounOf(measurement.file_count, 'file')}, ${measurement.total_bytes} ${nounOf(measurement.total_bytes, 'byte')}`;
  const registered = new Date(measurement.registered_at ?? measurement.created_at).toISOString();
  yield '{"@context":"https://w3id.org/ro/crate/1.2/context","@graph":[\n';
  yield entity({
    '@id': 'ro-crate-metadata.json',
    '@type': 'CreativeWork',
    about: { '@id': './' },
    conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
  });
  yield `,\n${entity({
    '@id': './',
    '@type': 'Dataset',
    name: measurement.title,
    description: `Measurement ${measurement.id}: ${contents}, registered by Benchport with SHA-256 checksums.${list === null ? '' : ` ${leftOutWords(list.leftOut)}; see ${leftOutFile}.`}`,
    identifier: measurement.id,
    datePublished: registered,
    license: { '@id': noLicense },
    hasPart: [],
  }).replace(/"hasPart":\[\]\}$/, '"hasPart":[')}`;
  if (list !== null) yield JSON.stringify({ '@id': leftOutFile });
  let first = list === null;
  for await (const rows of fileSlices(services, measurement.id)) {
    yield (first ? '' : ',') + rows.map((row) => JSON.stringify({ '@id': idOf(row) })).join(',');
    first = false;
  }
  yield ']}';
  for await (const rows of fileSlices(services, measurement.id))
    yield rows.map((row) => `,\n${fileEntity(row)}`).join('');
  if (list !== null) yield `,\n${listEntity(list)}`;
  yield `,\n${entity({ '@id': noLicense, '@type': 'CreativeWork', name: 'No license stated', description: 'The owner of the measurement has not stated a license.' })}`;
  yield '\n]}\n';
}

function fileEntity(row: FileRow): string {
  return entity({
    '@id': idOf(row),
    '@type': 'File',
    name: path.posix.basename(row.path),
    contentSize: String(row.length),
    encodingFormat: mediaTypeOf(row.path).split(';')[0] ?? '',
    sha256: row.sha256.toString('hex'),
    dateModified: new Date(Number(BigInt(row.mtime_ns) / 1_000_000n)).toISOString(),
  });
}

function listEntity({ leftOut, bytes, sha256 }: WrittenList): string {
  return entity({
    '@id': leftOutFile,
    '@type': 'File',
    name: leftOutFile,
    description: `${leftOutWords(leftOut)}; each is listed with its reason.`,
    contentSize: String(bytes),
    encodingFormat: 'text/plain',
    sha256,
  });
}

function idOf(row: FileRow): string {
  return `data/${row.path.split('/').map(encodeURIComponent).join('/')}`;
}

function entity(value: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(value);
}
