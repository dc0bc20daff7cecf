import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AdoptedFile, AdoptRequest, HashedFile, Reading } from '../../files/hash-messages.ts';
import { fileOfLine, manifestName, memberFile, type ExpectedFile } from '../uploads/members/expected-file.ts';
import { FileSyncer } from '../uploads/members/file-syncer.ts';
import { LineReader } from '../uploads/members/line-reader.ts';
import { JournalSums, type JournalledSums } from '../uploads/members/member-journal.ts';
import { linkObject, makeFolder } from './import-file.ts';
import { LibraryError, outcomeOfFailure } from './import-failures.ts';
import { errorCode } from '../../common/error-code.ts';
import { isNoSpace } from '../../files/register-failures.ts';

/** Reads the files of an upload in their order, with their block sums. */
class MemberList {
  readonly folder: string;
  readonly #lines: LineReader;
  readonly #sums: JournalSums;
  next = 0;

  constructor(folder: string) {
    this.folder = folder;
    this.#lines = new LineReader(path.join(folder, manifestName));
    this.#sums = new JournalSums(folder);
  }

  read(): { readonly index: number; readonly file: ExpectedFile; readonly sums: JournalledSums } | null {
    const line = this.#lines.next();
    if (line === null) return null;
    const index = this.next;
    this.next += 1;
    return { index, file: fileOfLine(line), sums: this.#sums.of(index) };
  }

  close(): void {
    this.#lines.close();
    this.#sums.close();
  }
}

/** Takes the files of one upload into the library, batch by batch. */
export class FileAdopter {
  #members: MemberList | null = null;
  #syncer: FileSyncer | null = null;
  /** Folders of the library with names that may not be on disk yet. */
  readonly #folders = new Set<string>();

  /** Links verified files of an upload into the library. Their names are on disk after `sync`. */
  adopt({ folder, library, from, limit }: AdoptRequest, reading: Reading): readonly AdoptedFile[] {
    const objects = path.join(library, 'objects');
    if (makeFolder(objects)) this.#folders.add(library);
    this.#syncer ??= new FileSyncer(objects);
    // A process before this one may have ended before it synced what it had linked.
    if (this.#members === null && from > 0) for (const one of foldersIn(objects)) this.#folders.add(one);
    const members = this.#listAt(folder, from);
    const adopted: AdoptedFile[] = [];
    const folders = this.#folders;
    while (adopted.length < limit) {
      const member = members.read();
      if (member === null) break;
      reading.step(0);
      adopted.push(adoptOne(member, { folder, library, folders }, reading));
    }
    return adopted;
  }

  /** The names of all files that were linked are on disk afterwards. */
  async sync(): Promise<void> {
    await this.#syncer?.syncNames(this.#folders);
    this.#folders.clear();
    this.#syncer?.close();
    this.#syncer = null;
  }

  /** Removes the folder of the upload, whose files are in the library. */
  remove(folder: string): void {
    this.#members?.close();
    this.#members = null;
    rmSync(folder, { recursive: true, force: true });
  }

  #listAt(folder: string, from: number): MemberList {
    if (this.#members?.folder !== folder || this.#members.next > from) {
      this.#members?.close();
      this.#members = new MemberList(folder);
    }
    while (this.#members.next < from && this.#members.read() !== null);
    return this.#members;
  }
}

function foldersIn(objects: string): readonly string[] {
  return [objects, ...readdirSync(objects).map((name) => path.join(objects, name))];
}

function adoptOne(
  { index, file, sums }: NonNullable<ReturnType<MemberList['read']>>,
  { folder, library, folders }: { readonly folder: string; readonly library: string; readonly folders: Set<string> },
  reading: Reading,
): AdoptedFile {
  const { path: name, length, crc32, sha256, registeredAt } = file;
  const planned = { idx: index, path: name, source: '', length, mtime_ns: '' };
  try {
    const source = memberFile(folder, index);
    const shard = path.join(library, 'objects', sha256.slice(0, 2));
    const object = path.join(shard, sha256);
    if (makeFolder(shard)) folders.add(path.dirname(shard));
    folders.add(shard);
    const healed = linkOnce({ file: source, read: file }, object, reading);
    chmodSync(object, 0o444);
    const digest: HashedFile = {
      index,
      length,
      crc32,
      sha256,
      mtimeNs: String(statSync(object, { bigint: true }).mtimeNs),
      ctimeNs: null,
      ...sums,
      at: registeredAt,
      location: `objects/${sha256.slice(0, 2)}/${sha256}`,
      healed,
    };
    return { file: planned, outcome: digest };
  } catch (error) {
    const failure = isNoSpace(error) ? error : new LibraryError(error);
    return { file: planned, outcome: outcomeOfFailure({ index }, failure) };
  }
}

/** After a kill a file may have been moved into the library where there are no hard links. */
function linkOnce(one: Parameters<typeof linkObject>[0], object: string, reading: Reading): boolean {
  try {
    return linkObject(one, object, reading);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
