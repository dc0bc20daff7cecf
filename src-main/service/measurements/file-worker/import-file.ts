import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { extractEntry } from '../../files/zip-extract.ts';
import { hashFile } from './hash-file.ts';
import type { Reading, ReadFile, HashedFile, FileOutcome, ImportItem, ReadRequest } from '../../files/hash-messages.ts';
import { AbortedError, asLibraryError, LibraryError, outcomeOfFailure } from './import-failures.ts';
import { isNoSpace } from '../../files/register-failures.ts';

type FileSums = Pick<ReadFile, 'length' | 'crc32' | 'sha256'>;

/** A file on the library's disk, and the checksums of its bytes. */
interface VerifiedFile {
  readonly file: string;
  readonly read: FileSums;
}

interface FileToImport {
  readonly item: ImportItem;
  readonly file: string;
  readonly fd: number;
  readonly read: ReadFile;
}

/**
 * Copies a batch of files into the library. Each is written under `incoming/`, synced, read again
 * and compared, and only then linked under its SHA-256 below `objects/`. The steps run for the
 * whole batch together, because the first `fsync` also flushes most of the others.
 */
export async function importFiles(
  { items, library, owner }: Extract<ReadRequest, { readonly op: 'take' }>,
  reading: Reading,
): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const written: FileToImport[] = [];
  try {
    for (const item of items) {
      try {
        written.push(await copyIn(item, path.join(library, 'incoming', `${owner}-${randomUUID()}`), library, reading));
      } catch (error) {
        outcomes.push(outcomeOfFailure(item, error));
        // The following files would fail for the same reason.
        if (isNoSpace(error) || error instanceof LibraryError) break;
      }
    }
    const folders = new Set<string>();
    const onDisk = written.filter((one) => {
      try {
        asLibraryError(() => fsyncSync(one.fd));
        return true;
      } catch (error) {
        outcomes.push(outcomeOfFailure(one.item, error));
        return false;
      }
    });
    for (const one of onDisk) outcomes.push(place(one, library, reading, folders));
    for (const folder of folders) syncFolder(folder);
  } finally {
    for (const one of written) forget(one.fd, one.file);
  }
  return outcomes;
}

/**
 * @returns whether the folder was created. With `recursive`, mkdir reports a read-only disk as a
 * missing folder.
 */
export function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function forget(fd: number, file: string): void {
  closeSync(fd);
  try {
    rmSync(file, { force: true });
  } catch {
    // On a disk that became read-only, the file stays until the next start.
  }
}

async function copyIn(item: ImportItem, file: string, library: string, reading: Reading): Promise<FileToImport> {
  const fd = asLibraryError(() => {
    makeFolder(path.join(library, 'incoming'));
    makeFolder(path.join(library, 'objects'));
    return openSync(file, 'wx+', 0o600);
  });
  try {
    const write = sinkTo(fd);
    const sink = (chunk: Buffer | null) => asLibraryError(() => write(chunk));
    const read = item.entry ? await extractEntry(item.file, item.entry, reading, sink) : hashFile(item, reading, sink);
    // Whole seconds, the only values that can be set exactly.
    const seconds = Math.floor(Number(BigInt(read.mtimeNs) / 1_000_000_000n));
    asLibraryError(() => {
      futimesSync(fd, seconds, seconds);
      fchmodSync(fd, 0o444);
    });
    return { item, file, fd, read };
  } catch (error) {
    forget(fd, file);
    throw error;
  }
}

/** Returns a sink that writes chunks in sequence; null starts over. */
export function sinkTo(fd: number): (chunk: Buffer | null) => void {
  let position = 0;
  return (chunk) => {
    if (chunk === null) {
      ftruncateSync(fd, 0);
      position = 0;
      return;
    }
    for (let at = 0; at < chunk.length;) {
      const count = writeSync(fd, chunk, at, chunk.length - at, position);
      at += count;
      position += count;
    }
  };
}

function place(one: FileToImport, library: string, reading: Reading, folders: Set<string>): FileOutcome {
  const quiet = { buffer: reading.buffer, step: () => reading.step(0) };
  try {
    const copy = hashFile({ file: one.file, pieces: true }, quiet);
    if (!equal(copy, one.read))
      throw Object.assign(
        new Error('its copy in the library came out different; check the disk of the data directory'),
        { code: 'EIO' },
      );
    const name = one.read.sha256;
    const folder = path.join(library, 'objects', name.slice(0, 2));
    const object = path.join(folder, name);
    if (makeFolder(folder)) folders.add(path.dirname(folder));
    const healed = linkObject(one, object, quiet);
    folders.add(folder);
    return digestOf(
      one,
      `objects/${name.slice(0, 2)}/${name}`,
      String(statSync(object, { bigint: true }).mtimeNs),
      copy,
      healed,
    );
  } catch (error) {
    return outcomeOfFailure(
      one.item,
      error instanceof AbortedError || isNoSpace(error) ? error : new LibraryError(error),
    );
  }
}

/**
 * Gives a verified file its name in the library.
 *
 * @returns whether a damaged object with this name was replaced.
 */
export function linkObject(one: VerifiedFile, object: string, reading: Reading): boolean {
  try {
    linkSync(one.file, object);
    return false;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      // The file system has no hard links.
      renameSync(one.file, object);
      return false;
    }
  }
  // The object exists; it is read again before another measurement relies on it.
  try {
    if (equal(hashFile({ file: object }, reading), one.read)) return false;
  } catch {
    // An unreadable object counts as damaged.
  }
  renameSync(one.file, object);
  return true;
}

function equal(a: FileSums, b: FileSums): boolean {
  return a.length === b.length && a.crc32 === b.crc32 && a.sha256 === b.sha256;
}

function digestOf(
  one: FileToImport,
  location: string,
  mtimeNs: string,
  { blocks, pieces }: Pick<ReadFile, 'blocks' | 'pieces'>,
  healed: boolean,
): HashedFile {
  const { length, crc32, sha256, at } = one.read;
  return { index: one.item.index, length, crc32, sha256, mtimeNs, ctimeNs: null, blocks, pieces, at, location, healed };
}

/** Syncs the entries of a folder; Windows does so by itself and rejects the call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
