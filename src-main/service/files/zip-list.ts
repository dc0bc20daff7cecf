import { closeSync, openSync } from 'node:fs';
import * as yauzl from 'yauzl';
import { grouped } from '../common/grouped.ts';
import type { EntryPlace } from './hash-messages.ts';
import { ListingBuilder, shownName, type Listing } from './inspect-findings.ts';
import { entryNameAt, fileSource, ZipWindow, type ZipSource } from './zip-window.ts';
import { decodeEntryName, entryRefusal } from './zip-entry.ts';
import { formatEntryPlace } from './zip-place.ts';

interface Entry {
  readonly name: string;
  readonly place: Omit<EntryPlace, 'limit'>;
  readonly headerEnd: number;
  readonly length: number;
  readonly mtimeNs: string;
}

/** The archive as a whole cannot be read. */
export class DamagedArchiveError extends Error {}

/**
 * Lists a ZIP archive as a measurement would contain it, from its central directory only.
 * Synchronous reads: call it in the worker thread.
 *
 * @throws DamagedArchiveError, with the entry's name where known.
 */
export async function listZip(
  archive: string,
  ignored: (name: string, folder: boolean) => boolean,
  checkAborted: () => void,
  maxEntries?: number,
): Promise<Listing> {
  const fd = openSync(archive, 'r');
  try {
    return await listZipOf(fileSource(fd), ignored, checkAborted, maxEntries);
  } finally {
    closeSync(fd);
  }
}

/**
 * Lists a ZIP archive that lies anywhere, as `listZip` does.
 *
 * @param maxEntries The entries are held in memory, so that an archive of a stranger needs a limit.
 * @throws DamagedArchiveError, or an error of its source.
 */
export async function listZipOf(
  source: ZipSource,
  ignored: (name: string, folder: boolean) => boolean,
  checkAborted: () => void,
  maxEntries = Infinity,
): Promise<Listing> {
  const listing = new ListingBuilder();
  const window = new ZipWindow(source);
  const zip = await openZip(window);
  if (zip.entryCount > maxEntries)
    throw new DamagedArchiveError(
      `The archive has ${grouped(zip.entryCount)} entries, and can have ${grouped(maxEntries)} at most. Upload parts of it.`,
    );
  const entries: Entry[] = [];
  const directoryStart = Number(zip.readEntryCursor);
  for (let left = zip.entryCount; left > 0; left -= 1) {
    checkAborted();
    const entry = await nextEntry(zip, window);
    const taken = addEntry(entry, ignored, listing);
    if (taken) entries.push(taken);
  }
  await checkEnd(window, Number(zip.readEntryCursor));
  addPlaced(entries, directoryStart, listing);
  return listing.finish();
}

/**
 * Yields the names in the central directory of a ZIP archive in order, without keeping them in
 * memory; folders and invalid names are skipped. The names are not validated: they may contain any
 * path.
 *
 * @param fd Is not closed.
 * @throws DamagedArchiveError after the names that could be read.
 */
export async function* zipNames(fd: number): AsyncGenerator<string> {
  const window = new ZipWindow(fileSource(fd));
  const zip = await openZip(window);
  for (let left = zip.entryCount; left > 0; left -= 1) {
    const name = decodeEntryName(await nextEntry(zip, window));
    if (name !== null && !name.endsWith('/')) yield name;
  }
}

async function openZip(window: ZipWindow): Promise<yauzl.ZipFile> {
  try {
    return await yauzl.fromRandomAccessReaderPromise(window, window.size, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
  } catch (error) {
    throw new DamagedArchiveError(`It is not a ZIP archive, or it is damaged: ${text(error)}`, { cause: error });
  }
}

async function nextEntry(zip: yauzl.ZipFile, window: ZipWindow): Promise<yauzl.Entry> {
  const cursor = Number(zip.readEntryCursor);
  try {
    return await new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        zip.removeAllListeners('entry');
        zip.removeAllListeners('error');
        settle();
      };
      zip.once('entry', (entry: yauzl.Entry) => done(() => resolve(entry)));
      zip.once('error', (error: Error) => done(() => reject(error)));
      zip.readEntry();
    });
  } catch (error) {
    const name = shownName(await entryNameAt(window, cursor));
    throw new DamagedArchiveError(`${name}: the archive cannot be read here: ${text(error)}`, { cause: error });
  }
}

function addEntry(
  entry: yauzl.Entry,
  ignored: (name: string, folder: boolean) => boolean,
  listing: ListingBuilder,
): Entry | null {
  const name = decodeEntryName(entry);
  if (name === null) {
    listing.refuse(entry.fileNameRaw.toString('latin1'), 'the name is not valid UTF-8');
    return null;
  }
  const refusal = entryRefusal(entry, name);
  if (refusal !== null) {
    listing.refuse(name, refusal);
    return null;
  }
  const names = name.replace(/\/$/, '').split('/');
  const folders = name.endsWith('/') ? names : names.slice(0, -1);
  const leftOut =
    folders.some((folder) => ignored(folder, true)) || (!name.endsWith('/') && ignored(names.at(-1) ?? '', false));
  if (leftOut) listing.ignored(name);
  const place = {
    headerOffset: entry.relativeOffsetOfLocalHeader,
    packedBytes: entry.compressedSize,
    method: entry.compressionMethod,
    crc32: entry.crc32 >>> 0,
  };
  const headerEnd = place.headerOffset + 30 + entry.fileNameLength;
  const mtimeNs = `${Math.max(0, entry.getLastModDate({ timezone: 'UTC' }).getTime() || 0)}000000`;
  // Folders and ignored entries stay in the check for overlaps: an archive with overlapping parts
  // is refused whichever they are.
  return { name: leftOut || name.endsWith('/') ? '' : name, place, headerEnd, length: entry.uncompressedSize, mtimeNs };
}

function addPlaced(entries: readonly Entry[], directoryStart: number, listing: ListingBuilder): void {
  const placed = entries.toSorted((a, b) => a.place.headerOffset - b.place.headerOffset);
  for (const [at, entry] of placed.entries()) {
    const limit = placed[at + 1]?.place.headerOffset ?? directoryStart;
    if (entry.headerEnd + entry.place.packedBytes > limit) {
      listing.refuse(entry.name === '' ? 'a folder' : entry.name, 'its data overlap another part of the archive');
    } else if (entry.name !== '') {
      listing.add({
        path: entry.name,
        source: formatEntryPlace({ ...entry.place, limit }),
        length: entry.length,
        mtimeNs: entry.mtimeNs,
      });
    }
  }
}

// Entries beyond the stated count would be invisible here but visible to other programs.
async function checkEnd(window: ZipWindow, cursor: number): Promise<void> {
  const signature = await window.bytes(cursor, 4);
  const known = signature.length === 4 && [0x06054b50, 0x06064b50, 0x05054b50].includes(signature.readUInt32LE(0));
  if (!known)
    throw new DamagedArchiveError('The archive has more entries than it states, or its central directory is damaged.');
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
