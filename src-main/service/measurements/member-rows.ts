import type { FilesStore, MemberRow } from './files-store.ts';
import type { MeasurementRow } from './measurements-store.ts';

/** What a small range of members of ordinary length needs. */
const rowsInPage = 4;
/** About five MiB: the places that some dozens of readers are at, and a few thousand places that are read at random. */
const mostPages = 4096;

/**
 * Rows of archives' members that were read lately: many ranges of an archive are asked for at once, and the next one begins where one ended. They are
 * frozen with the measurement, and belong to its row as access.ts keeps it: what changes makes another one.
 */
export class MemberRows {
  readonly #files: Pick<FilesStore, 'membersFrom'>;
  readonly #pages = new Map<MeasurementRow, Map<number, readonly MemberRow[]>>();
  #count = 0;

  constructor(files: Pick<FilesStore, 'membersFrom'>) {
    this.#files = files;
  }

  /** At least the members from an index on, so many of them, in order, as far as there are any. */
  async around(measurement: MeasurementRow, index: number, count: number): Promise<readonly MemberRow[]> {
    const end = Math.min(index + count, measurement.file_count);
    const rows: MemberRow[] = [];
    for (let page = Math.floor(index / rowsInPage); page * rowsInPage < end; page += 1) {
      const kept = this.#pages.get(measurement)?.get(page);
      rows.push(...(kept ?? (await this.#read(measurement, page))));
    }
    return rows;
  }

  async #read(measurement: MeasurementRow, page: number): Promise<readonly MemberRow[]> {
    const rows = await this.#files.membersFrom(measurement.id, page * rowsInPage, rowsInPage);
    if (this.#count >= mostPages) {
      this.#pages.clear();
      this.#count = 0;
    }
    const pages = this.#pages.get(measurement) ?? new Map<number, readonly MemberRow[]>();
    this.#pages.set(measurement, pages.set(page, rows));
    this.#count += 1;
    return rows;
  }
}
