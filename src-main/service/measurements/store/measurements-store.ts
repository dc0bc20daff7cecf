import type { Database, Transaction } from '../../database/port/database.ts';
import { joinInOrder, textsOf } from '../../database/port/dialect.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';
import { foldedKey } from '../../database/text-search.ts';
import { maxCounted, totalOf, type Total } from '../../database/totals.ts';
import type { MeasurementSort, MeasurementState } from '../../contract/measurements.ts';
import { accessOrder, type AccessOrder, type ListPosition } from './access-order.ts';
import { accessReaders } from './access-readers.ts';
import { degradedMeasurements } from './degraded-measurements.ts';
import { measurementSearch } from './measurement-search.ts';
import { rememberObject } from './objects-store.ts';

export interface MeasurementRow {
  readonly id: string;
  readonly title: string;
  readonly owner_id: number;
  readonly storage: 'reference' | 'library';
  readonly root: string;
  /** Key of its archive in the object storage; null for files in a folder. */
  readonly object_key: string | null;
  readonly state: MeasurementState;
  readonly file_count: number;
  readonly total_bytes: number;
  readonly problem_count: number;
  readonly archive_layout: number;
  readonly archive_bytes: number;
  readonly archive_directory_offset: number;
  /** Hexadecimal hash of the layout version and the manifest; part of the archive's ETag. */
  readonly archive_tag: string;
  readonly created_at: number;
  readonly registered_at: number | null;
  readonly verified_at: number | null;
  /** Times of its files; null where none can be one. */
  readonly began_at: number | null;
  readonly ended_at: number | null;
}

export interface MeasurementWithOwner extends MeasurementRow {
  readonly owner_username: string;
  readonly owner_name: string;
}

export interface MeasurementListing {
  /**
   * User whose list is returned: everything they own or were granted; null for everything
   * (administrators).
   */
  readonly visibleTo: number | null;
  readonly search: string;
  /** Only measurements with files that are not as registered; `after` is then ignored. */
  readonly problems?: boolean;
  readonly sort: MeasurementSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
  /** Only rows after this position; the offset must then be 0. */
  readonly after?: ListPosition | null;
  readonly now: number;
}

export interface MeasurementPage {
  readonly rows: readonly MeasurementWithOwner[];
  readonly total: Total;
  /** Position after which the next page begins; null when there is none. */
  readonly next: ListPosition | null;
}

export interface MeasurementsStore {
  byId(id: string): Promise<MeasurementRow | null>;
  withOwner(id: string): Promise<MeasurementWithOwner | null>;
  /** One whose files lie in the folder of the library; null when there is none. */
  inLibrary(): Promise<string | null>;
  list(listing: MeasurementListing): Promise<MeasurementPage>;
  rename(id: string, title: string): Promise<void>;
  remove(id: string): Promise<void>;
}

const byId = read<[string], MeasurementRow>('SELECT * FROM measurements WHERE id = ?');
const withOwner = read<[string], MeasurementWithOwner>(
  'SELECT measurements.*, username AS owner_username, users.name AS owner_name FROM measurements JOIN users ON users.id = owner_id WHERE measurements.id = ?',
);
const withOwners = read<[string], MeasurementWithOwner>(
  `SELECT measurements.*, username AS owner_username, users.name AS owner_name FROM ${textsOf('?')} AS listed ${joinInOrder} measurements ON measurements.id = listed.value
   JOIN users ON users.id = owner_id`,
);
const inLibrary = readValue<[], string>(
  `SELECT id FROM measurements WHERE storage = 'library' AND object_key IS NULL AND state <> 'registering' LIMIT 1`,
);
const rename = write<[string, string, string]>('UPDATE measurements SET title = ?, title_key = ? WHERE id = ?');
const remove = write<[string]>('DELETE FROM measurements WHERE id = ?');

/**
 * Reads, lists, renames and removes measurements. Registrations are written by
 * registration-store.ts.
 */
export function measurementsStore(database: Database): MeasurementsStore {
  const inOrder = accessOrder(database);
  const find = measurementSearch(database);

  async function rowsAt(positions: readonly ListPosition[]): Promise<readonly MeasurementWithOwner[]> {
    const found = await database.all(withOwners, JSON.stringify(positions.map(({ id }) => id)));
    const rows = new Map(found.map((row) => [row.id, row]));
    return positions.flatMap(({ id }) => rows.get(id) ?? []);
  }

  async function pageOf(order: AccessOrder, limit: number, offset: number): Promise<MeasurementPage> {
    const found = await inOrder.page(order, limit + 1, offset);
    const positions = found.slice(0, limit);
    const whole = order.after === null && offset === 0 && found.length <= limit;
    const counted = whole ? found.length : await inOrder.count(order, maxCounted + 1);
    return {
      rows: await rowsAt(positions),
      total: totalOf(counted),
      next: found.length > limit ? (positions.at(-1) ?? null) : null,
    };
  }

  return {
    byId: async (id) => database.one(byId, id),
    inLibrary: async () => database.one(inLibrary),
    withOwner: async (id) => database.one(withOwner, id),
    list: async ({ visibleTo, search, problems = false, limit, offset, after = null, sort, descending, now }) => {
      const readers = await accessReaders(database, visibleTo);
      if (problems) {
        const found = await degradedMeasurements(database, { readers, sort, descending, after: null, now }, search);
        return { rows: await rowsAt(found.slice(offset, offset + limit)), total: totalOf(found.length), next: null };
      }
      const order: AccessOrder = { readers, sort, descending, after, now };
      if (search === '') return pageOf(order, limit, offset);
      const { places, total, next } = await find(search, order, limit, offset);
      return { rows: await rowsAt(places), total, next };
    },
    rename: async (id, title) => void (await database.run(rename, title, foldedKey(title), id)),
    remove: async (id) => database.transaction(() => removeRow(id)),
  };
}

function* removeRow(id: string): Transaction<void> {
  yield* rememberObject(id, Date.now());
  yield* run(remove, id);
}
