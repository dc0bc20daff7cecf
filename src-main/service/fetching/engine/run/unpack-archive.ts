import { closeSync, fdatasync, writeSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../../../common/error-code.ts';
import { findingLines, shownName, type ListedFile, type Listing } from '../../../files/inspect-findings.ts';
import { DamagedEntryError, extractEntry } from '../../../files/zip-extract.ts';
import { listZip } from '../../../files/zip-list.ts';
import { parseEntryPlace } from '../../../files/zip-place.ts';
import { ArchiveError } from './archive-error.ts';
import { checkExisting, digestFault } from '../checksums/check-existing.ts';
import type { ManifestFile, ReadManifest } from '../manifest/manifest-types.ts';
import type { Target } from '../target/target.ts';
import { TargetError, targetError } from '../../../files/target-folder-error.ts';

export interface Unpacking {
  readonly signal: AbortSignal;
  /** Called with bytes of files that were unpacked, or existed and are correct. */
  onBytes(bytes: number): void;
  onFile(): void;
}

interface Member {
  readonly file: ManifestFile;
  readonly entry: ListedFile;
}

// Files synced to disk as one batch.
const maxBatchFiles = 32;
const maxBatchBytes = 16 * 1024 * 1024;
const syncToDisk = promisify(fdatasync);

/**
 * Unpacks an archive into the folder: exactly the manifest's files, each verified by length, CRC-32
 * and (if known) SHA-256 before it gets its name. Correct files are kept, so that a second run
 * resumes. The archive itself stays.
 *
 * @param archive path below the target.
 * @throws ArchiveError, TargetError, or the signal's reason.
 */
export async function unpackArchive(
  target: Target,
  archive: string,
  manifest: ReadManifest,
  work: Unpacking,
): Promise<{ files: number; bytes: number }> {
  const from = path.join(target.folder, archive);
  try {
    const members = membersOf(await listed(from, work.signal), manifest, true);
    let waiting: { readonly file: string; readonly fd: number }[] = [];
    let waitingBytes = 0;
    const settle = async (): Promise<void> => {
      const batch = waiting;
      [waiting, waitingBytes] = [[], 0];
      // Waits for all, so that every descriptor is closed even if one file fails.
      const ended = await Promise.allSettled(batch.map(async ({ file, fd }) => keep(target, file, fd)));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
      batch.forEach(() => work.onFile());
    };
    try {
      for (const { file, entry } of members) {
        work.signal.throwIfAborted();
        if (await isThere(target, file, work)) work.onFile();
        else {
          waiting.push({ file: file.path, fd: await unpacked(target, from, { file, entry }, work) });
          waitingBytes += file.length;
          if (waiting.length >= maxBatchFiles || waitingBytes >= maxBatchBytes) await settle();
        }
      }
    } finally {
      await settle();
    }
    await target.sync();
    return { files: manifest.fileCount, bytes: manifest.totalBytes };
  } catch (error) {
    work.signal.throwIfAborted();
    throw error instanceof ArchiveError ? error : targetError(error, archive);
  }
}

/**
 * Whether every file of the manifest exists and is correct. @throws TargetError, or the signal's
 * reason
 */
export async function isUnpacked(target: Target, { files }: ReadManifest, work: Unpacking): Promise<boolean> {
  for (const file of files) {
    work.signal.throwIfAborted();
    if (!(await isThere(target, file, work))) return false;
  }
  return true;
}

async function isThere(target: Target, file: ManifestFile, work: Unpacking): Promise<boolean> {
  const existing = await checkExisting(target, file, work.signal, (bytes) => work.onBytes(bytes));
  if (existing.kind === 'other') throw new TargetError('name-taken', existing.message, true);
  if (existing.kind === 'absent') return false;
  // The process was killed during `finish`: the partial name may still exist.
  target.discard(file.path);
  return true;
}

/**
 * Verifies an archive like `unpackArchive`, without writing: it holds exactly the manifest's files,
 * and each is correct.
 *
 * @throws ArchiveError, TargetError, or the signal's reason.
 */
export async function checkArchive(
  target: Target,
  archive: string,
  manifest: ReadManifest,
  work: Unpacking,
): Promise<void> {
  const from = path.join(target.folder, archive);
  try {
    for (const member of membersOf(await listed(from, work.signal), manifest, false)) {
      await verifyMember(from, member, work, () => {});
      work.onFile();
    }
  } catch (error) {
    work.signal.throwIfAborted();
    throw error instanceof ArchiveError ? error : targetError(error, archive);
  }
}

async function listed(archive: string, signal: AbortSignal): Promise<Listing> {
  try {
    const listing = await listZip(
      archive,
      () => false,
      () => signal.throwIfAborted(),
    );
    const [first] = findingLines(listing.refusals);
    if (first !== undefined) throw new ArchiveError(`The archive cannot be unpacked: ${first}.`);
    return listing;
  } catch (error) {
    if (error instanceof ArchiveError || errorCode(error) !== '') throw error;
    signal.throwIfAborted();
    throw new ArchiveError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Pairs each manifest file with its archive member. @throws ArchiveError if they do not hold the
 * same files
 */
function membersOf(listing: Listing, manifest: ReadManifest, toWrite: boolean): Member[] {
  const entries = new Map(listing.files.map((entry) => [entry.path, entry]));
  const members = manifest.files.map((file) => {
    if (toWrite && file.refusal !== null)
      throw new ArchiveError(`${shownName(file.path)} cannot be unpacked under its name: ${file.refusal}.`);
    // The archive listing normalises names to NFC.
    const name = file.named.normalize('NFC');
    const entry = entries.get(name);
    if (!entry) throw new ArchiveError(`The archive lacks ${shownName(file.path)}, which the manifest lists.`);
    entries.delete(name);
    if (entry.length !== file.length || parseEntryPlace(entry.source).crc32 !== file.crc32) {
      throw new ArchiveError(
        `${shownName(file.path)} has a different length or checksum in the archive than in the manifest.`,
      );
    }
    return { file, entry };
  });
  const [extra] = entries.keys();
  if (extra !== undefined)
    throw new ArchiveError(`The archive contains ${shownName(extra)}, which the manifest does not list.`);
  return members;
}

/** @returns the descriptor of the partial file, written and compared */
async function unpacked(target: Target, archive: string, member: Member, work: Unpacking): Promise<number> {
  const { path: file } = member.file;
  const fd = target.create(file);
  try {
    await verifyMember(archive, member, work, (chunk) => {
      for (let rest = chunk; rest.length > 0;) rest = rest.subarray(writeSync(fd, rest));
    });
    return fd;
  } catch (error) {
    closeSync(fd);
    target.discard(file);
    throw error;
  }
}

/** Reads a member to its end. @throws ArchiveError if it does not match the manifest */
async function verifyMember(
  archive: string,
  { file, entry }: Member,
  work: Unpacking,
  sink: (chunk: Buffer) => void,
): Promise<void> {
  const place = { place: parseEntryPlace(entry.source), length: entry.length, mtimeNs: entry.mtimeNs };
  const step = (bytes: number): void => {
    work.signal.throwIfAborted();
    work.onBytes(bytes);
  };
  try {
    const { sha256, ...read } = await extractEntry(
      archive,
      place,
      { buffer: Buffer.alloc(0), step },
      (chunk) => chunk && sink(chunk),
    );
    const fault = digestFault(file, { ...read, sha256: Buffer.from(sha256, 'hex') });
    if (fault !== null) throw new ArchiveError(`The archive does not match the manifest: ${fault.message}`);
  } catch (error) {
    throw error instanceof DamagedEntryError ? new ArchiveError(`${shownName(file.path)}: ${error.message}.`) : error;
  }
}

async function keep(target: Target, file: string, fd: number): Promise<void> {
  try {
    await syncToDisk(fd);
  } finally {
    closeSync(fd);
  }
  target.finish(file);
}
