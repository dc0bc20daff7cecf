import { chmodSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AdoptedFile, AdoptRequest, HashedFile, Reading } from '../../files/hash-messages.ts';
import { fileOfLine, manifestName, memberFile, type ExpectedFile } from '../uploads/members/expected-file.ts';
import { LineReader } from '../uploads/members/line-reader.ts';
import { JournalSums, type JournalledSums } from '../uploads/members/member-journal.ts';
import { linkObject, makeFolder, syncFolder } from './import-file.ts';
import { LibraryError, outcomeOfFailure } from './import-failures.ts';
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

/** Takes the files of uploads into the library, batch by batch. */
export class FileAdopter {
  #members: MemberList | null = null;

  /** Links verified files of an upload into the library, those of a batch together. */
  adopt({ folder, library, from, limit }: AdoptRequest, reading: Reading): readonly AdoptedFile[] {
    const members = this.#listAt(folder, from);
    const adopted: AdoptedFile[] = [];
    const folders = new Set<string>();
    makeFolder(path.join(library, 'objects'));
    while (adopted.length < limit) {
      const member = members.read();
      if (member === null) break;
      reading.step(0);
      adopted.push(adoptOne(member, { folder, library, folders }, reading));
    }
    for (const one of folders) syncFolder(one);
    return adopted;
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
    // After a kill it may have been moved into the library where there are no hard links.
    const healed = existsSync(source) ? linkObject({ file: source, read: file }, object, reading) : false;
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
