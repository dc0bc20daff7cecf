import type { AccountStores } from '../../accounts/store/stores.ts';
import { beginLayout } from '../../archive/layout.ts';
import { pathRefusal } from '../../files/names.ts';
import { isMeasurementId } from '../../../../src-shared/measurement-names.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import { withTime, type FileTimes } from '../store/file-times.ts';
import type { RegisteredFile, Totals } from '../store/registration-rows.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { RemovedStores } from '../removed/store/stores.ts';
import { readHeader, readFileLine, type ObjectHeader } from './object-description.ts';
import { descriptionKeyOf, objectKeyOf, removedKeyOf } from './object-key.ts';

export type RebuildDeps = Pick<MeasurementStores, 'registrations' | 'objects' | 'measurements'> &
  RemovedStores &
  Pick<AccountStores, 'users'>;

type Lines = AsyncGenerator<string, void>;

/** The header of an archive of 40 TB. */
const maxLineBytes = 64 * 1024 * 1024;
const sliceBytes = 1024 * 1024;
const rowsPerSlice = 500;

/** Result of rebuilding one measurement from its description. */
export type Rebuilt =
  | { readonly id: string; readonly outcome: 'added' | 'known' | 'removed' }
  | { readonly id: string; readonly outcome: 'refused'; readonly reason: string };

/** A description that does not fit its object. */
class Unfit extends Error {}

/**
 * Makes the rows of a measurement from the description beside its archive. It is added only if the
 * digest of its list is the one in its key, so that a changed description is noticed.
 *
 * One that was removed is left alone, whether the database knows it or only the object storage.
 *
 * @param ownerId who owns it when there is no user with its owner's name; null: it is refused.
 * @param withRemoved adds also one that only the object storage says to be removed.
 * @throws ObjectStorageError, or the signal's reason.
 */
export async function rebuildMeasurement(
  deps: RebuildDeps,
  storage: ObjectStorage,
  descriptionKey: string,
  length: number,
  ownerId: number | null,
  withRemoved: boolean,
  signal: AbortSignal,
): Promise<Rebuilt> {
  let id = descriptionKey;
  try {
    const lines = linesOf(bytesOf(storage, descriptionKey, length, signal));
    const header = readHeader((await lines.next()).value ?? '');
    if (!header || !isMeasurementId(header.id)) throw new Unfit('its first line cannot be read');
    ({ id } = header);
    const key = objectKeyOf({ id, archive_tag: header.archive.tag });
    if (descriptionKeyOf(key) !== descriptionKey) throw new Unfit('it lies under another key than its own');
    if (await deps.measurements.byId(id)) return { id, outcome: 'known' };
    if (await deps.removed.isObjectKept(key)) return { id, outcome: 'removed' };
    if (!withRemoved && (await storage.lengthOf(removedKeyOf(key), signal)) !== null) return { id, outcome: 'removed' };
    if ((await storage.lengthOf(key, signal)) !== header.archive.length)
      throw new Unfit('its archive is missing or has another length');
    const added = await add(deps, header, key, lines, await ownerOf(deps, header, ownerId));
    if (withRemoved) await storage.remove(removedKeyOf(key), signal);
    return added;
  } catch (error) {
    if (error instanceof Unfit) return { id, outcome: 'refused', reason: error.message };
    throw error;
  }
}

async function ownerOf(
  { users }: Pick<AccountStores, 'users'>,
  header: ObjectHeader,
  other: number | null,
): Promise<number> {
  const owner = (await users.byUsername(header.owner))?.id ?? other;
  if (owner === null) throw new Unfit(`there is no user ${header.owner}; name another owner with --owner`);
  return owner;
}

async function add(
  deps: RebuildDeps,
  header: ObjectHeader,
  key: string,
  lines: Lines,
  ownerId: number,
): Promise<Rebuilt> {
  const { id, title, archive } = header;
  const { registrations } = deps;
  if (!(await registrations.reserve({ id, title, ownerId, storage: 'library', root: key })))
    return { id, outcome: 'known' };
  try {
    const totals = await addFiles(deps, header, lines);
    const { layout: version, length: bytes, directoryOffset, tag } = archive;
    await registrations.total(id, totals, { version, bytes, directoryOffset, tag });
    await registrations.setTimes(id, timesOfHeader(header) ?? totals.times);
    await deps.objects.announce({ object_key: key, measurement_id: id, length: bytes }, Date.now());
    await deps.objects.assign(id, key, Buffer.from(archive.blocks, 'base64'));
    await registrations.makeAvailable(id, header.registeredAt);
    return { id, outcome: 'added' };
  } catch (error) {
    await registrations.hide(id);
    while (await registrations.dropFiles(id, rowsPerSlice, null)) await new Promise(setImmediate);
    await deps.measurements.remove(id);
    throw error;
  }
}

function timesOfHeader({ beganAt, endedAt }: ObjectHeader): FileTimes | null {
  return beganAt === undefined || endedAt === undefined ? null : { beganAt, endedAt };
}

/** @throws Unfit when the list is not that of the archive. */
async function addFiles(
  { registrations }: Pick<MeasurementStores, 'registrations'>,
  { id, archive, createdAt }: ObjectHeader,
  lines: Lines,
): Promise<Totals & { readonly times: FileTimes | null }> {
  const layout = beginLayout();
  let rows: RegisteredFile[] = [];
  let [files, bytes] = [0, 0];
  let times: FileTimes | null = null;
  const now = Date.now();
  for (let line = await lines.next(); line.done !== true && line.value !== ']}'; line = await lines.next()) {
    const file = readFileLine(line.value);
    if (!file || pathRefusal(file.path) !== null) throw new Unfit('its list of files cannot be read');
    const sha256 = Buffer.from(file.sha256, 'hex');
    const { path, length, crc32, registeredAt, modifiedNs: mtimeNs, piecesSha256 } = file;
    const place = layout.add({ path, length, crc32, sha256, registeredAt });
    rows.push({
      index: files,
      path,
      location: '',
      length,
      crc32,
      sha256,
      mtimeNs,
      ctimeNs: null,
      blocks: null,
      pieces: null,
      piecesSha256: piecesSha256 === undefined ? null : Buffer.from(piecesSha256, 'hex'),
      registeredAt,
      ...place,
    });
    files += 1;
    bytes += length;
    // A time from before the measurement came with its upload; otherwise that of the file counts.
    times = withTime(times, registeredAt < createdAt ? registeredAt : Number(BigInt(mtimeNs) / 1_000_000n), now);
    if (rows.length < rowsPerSlice) continue;
    await registrations.add(id, rows);
    rows = [];
  }
  await registrations.add(id, rows);
  if (layout.finish().tag !== archive.tag) throw new Unfit('its list of files is not that of its archive');
  return { files, bytes, times };
}

async function* bytesOf(
  storage: ObjectStorage,
  key: string,
  length: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += sliceBytes) {
    const slice = Buffer.allocUnsafe(Math.min(sliceBytes, length - at));
    await storage.read(key, at, slice, signal);
    yield slice;
  }
}

// Not readline, which ends a line at U+2028 too.
async function* linesOf(chunks: AsyncIterable<Buffer>): Lines {
  let begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, end)]).toString('utf8');
      begun = [];
      bytes = 0;
      from = end + 1;
    }
    bytes += chunk.length - from;
    if (bytes > maxLineBytes) throw new Unfit('a line of it is too long');
    begun.push(chunk.subarray(from));
  }
}
