import { localHeaderLength, writeLocalHeader } from '../../archive/zip-format.ts';
import { headerOf, type ArchiveSource } from '../content/copy-archive.ts';
import type { FilesStore, MemberRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';

/** What a small range of members of ordinary length needs. */
const rowsInPage = 4;
/** Some seven MiB: the places that some dozens of readers are at, and a few thousand places that are read at random. */
const maxPages = 4096;

/** A member of an archive with what sending it takes, worked out once. */
export class Member {
  readonly file: MemberRow;
  readonly path: string;
  #header: Buffer | null = null;

  constructor(file: MemberRow, path: string) {
    this.file = file;
    this.path = path;
  }

  /** Not to be changed. */
  get header(): Buffer {
    if (!this.#header) {
      this.#header = Buffer.allocUnsafe(localHeaderLength(this.file));
      writeLocalHeader(this.#header, 0, headerOf(this.file));
    }
    return this.#header;
  }
}

/**
 * Members of archives that were read lately: many ranges of an archive are asked for at once, and the next one begins where one ended. They are frozen
 * with the measurement, and belong to its row as access.ts keeps it: what changes makes another one.
 */
export class MemberRows {
  readonly #files: Pick<FilesStore, 'membersFrom'>;
  readonly #pages = new Map<MeasurementRow, Map<number, readonly Member[]>>();
  #count = 0;

  constructor(files: Pick<FilesStore, 'membersFrom'>) {
    this.#files = files;
  }

  /** At least the members from an index on, so many of them, in order, as far as there are any; null when some have to be read. */
  cached({ measurement }: ArchiveSource, index: number, count: number): readonly Member[] | null {
    const pages = this.#pages.get(measurement);
    const end = Math.min(index + count, measurement.file_count);
    const at = Math.floor(index / rowsInPage);
    let members = pages?.get(at);
    for (let page = at + 1; members && page * rowsInPage < end; page += 1) {
      const more = pages?.get(page);
      members = more && [...members, ...more];
    }
    return members ?? null;
  }

  /** The same, with what has to be read. */
  async load(source: ArchiveSource, index: number, count: number): Promise<readonly Member[]> {
    const end = Math.min(index + count, source.measurement.file_count);
    const members: Member[] = [];
    for (let page = Math.floor(index / rowsInPage); page * rowsInPage < end; page += 1) {
      const kept = this.#pages.get(source.measurement)?.get(page);
      members.push(...(kept ?? (await this.#read(source, page))));
    }
    return members;
  }

  async #read({ measurement, pathOf }: ArchiveSource, page: number): Promise<readonly Member[]> {
    const rows = await this.#files.membersFrom(measurement.id, page * rowsInPage, rowsInPage);
    const members = rows.map((file) => new Member(file, pathOf(file)));
    if (this.#count >= maxPages) {
      this.#pages.clear();
      this.#count = 0;
    }
    const pages = this.#pages.get(measurement) ?? new Map<number, readonly Member[]>();
    this.#pages.set(measurement, pages.set(page, members));
    this.#count += 1;
    return members;
  }
}
