import { localHeaderLength, writeLocalHeader } from '../../../../src-shared/archive/zip-format.ts';
import type { ArchiveSource } from '../content/copy-archive.ts';
import { headerOf } from '../content/copy-directory.ts';
import type { FilesStore, ArchiveMemberRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';

/** Enough for a small range over members of common length. */
const rowsInPage = 4;
/**
 * About 7 MiB: the positions of some dozens of sequential readers and a few thousand random reads.
 */
const maxPages = 4096;

/** A member of an archive with its path and local header, computed once. */
export class Member {
  readonly file: ArchiveMemberRow;
  readonly path: string;
  #header: Buffer | null = null;

  constructor(file: ArchiveMemberRow, path: string) {
    this.file = file;
    this.path = path;
  }

  /** Shared between requests; must not be modified. */
  get header(): Buffer {
    if (!this.#header) {
      this.#header = Buffer.allocUnsafe(localHeaderLength(this.file));
      writeLocalHeader(this.#header, 0, headerOf(this.file));
    }
    return this.#header;
  }
}

/**
 * Cache of recently read archive members: clients request many ranges of one archive, and the next
 * begins where the last ended.
 *
 * Keyed by the cached measurement row: any change creates a new row object, which invalidates this
 * cache.
 */
export class MemberRows {
  readonly #files: Pick<FilesStore, 'membersFrom'>;
  readonly #pages = new Map<MeasurementRow, Map<number, readonly Member[]>>();
  #count = 0;

  constructor(files: Pick<FilesStore, 'membersFrom'>) {
    this.#files = files;
  }

  /**
   * Returns at least `count` members from an index on, in order, as far as there are any.
   *
   * @returns null when some are not cached.
   */
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

  /** Returns the members like `cached`, reading missing ones from the database. */
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
