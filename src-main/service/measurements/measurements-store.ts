import type Database from 'better-sqlite3';
import { contains, likePattern } from '../database/text-search.ts';
import type { MeasurementSort, MeasurementState } from '../contract/measurements.ts';

export interface MeasurementRow {
  readonly id: string;
  readonly title: string;
  readonly owner_id: number;
  readonly storage: 'reference' | 'library';
  readonly root: string;
  readonly state: MeasurementState;
  readonly file_count: number;
  readonly total_bytes: number;
  readonly problem_count: number;
  readonly archive_layout: number;
  readonly archive_bytes: number;
  readonly archive_directory_offset: number;
  /** Hexadecimal hash of the layout version and the manifest: the archive's entity tag. */
  readonly archive_tag: string;
  readonly created_at: number;
  readonly registered_at: number | null;
  readonly verified_at: number | null;
}

export interface MeasurementWithOwner extends MeasurementRow {
  readonly owner_username: string;
  readonly owner_name: string;
}

export interface MeasurementListing {
  /** Whose list: null sees everything (administrators), a number what this user owns or was granted. */
  readonly visibleTo: number | null;
  readonly search: string;
  readonly sort: MeasurementSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly now: number;
}

export interface MeasurementsStore {
  byId(id: string): Promise<MeasurementRow | null>;
  withOwner(id: string): Promise<MeasurementWithOwner | null>;
  list(listing: MeasurementListing): Promise<{ readonly rows: readonly MeasurementWithOwner[]; readonly total: number }>;
  rename(id: string, title: string): Promise<void>;
  remove(id: string): Promise<void>;
}

// Numbered parameters (?1) are taken for names by better-sqlite3, so these have names.
interface Filter {
  readonly visibleTo: number | null;
  readonly now: number;
  readonly pattern: string;
}

const sortColumns: Record<MeasurementSort, string> = {
  created_at: 'created_at',
  id: 'id COLLATE NOCASE',
  title: 'title COLLATE NOCASE',
  total_bytes: 'total_bytes',
  file_count: 'file_count',
  state: 'state',
};

const visible = `(@visibleTo IS NULL OR owner_id = @visibleTo OR EXISTS (
  SELECT 1 FROM grants WHERE grants.measurement_id = measurements.id AND (until IS NULL OR until > @now)
    AND (everyone = 1 OR grants.user_id = @visibleTo OR project_id IN (SELECT project_id FROM project_members WHERE project_members.user_id = @visibleTo))))`;
const matching = `(@pattern = '%%' OR measurements.id LIKE @pattern ESCAPE '\\' OR ${contains('title', '@pattern')})`;
// A measurement under registration is shown as a job; it has no manifest that could be listed.
const listed = `FROM measurements WHERE state <> 'registering' AND ${visible} AND ${matching}`;

/** Measurements in SQLite: reading, listing, renaming, removing. Registration writes them with registration-store.ts. */
export function measurementsStore(database: Database.Database): MeasurementsStore {
  const byId = database.prepare<[string], MeasurementRow>('SELECT * FROM measurements WHERE id = ?');
  const withOwner = database.prepare<[string], MeasurementWithOwner>(
    'SELECT measurements.*, username AS owner_username, users.name AS owner_name FROM measurements JOIN users ON users.id = owner_id WHERE measurements.id = ?',
  );
  const count = database.prepare<[Filter], number>(`SELECT count(*) ${listed}`).pluck();
  const lists = new Map<string, Database.Statement<[Filter & { readonly limit: number; readonly offset: number }], MeasurementWithOwner>>();
  const rename = database.prepare<[string, string]>('UPDATE measurements SET title = ? WHERE id = ?');
  const remove = database.prepare<[string]>('DELETE FROM measurements WHERE id = ?');

  function listStatement(sort: MeasurementSort, descending: boolean) {
    const order = `${sortColumns[sort]} ${descending ? 'DESC' : 'ASC'}, id ${descending ? 'DESC' : 'ASC'}`;
    let statement = lists.get(order);
    if (!statement) {
      statement = database.prepare(
        `SELECT page.*, username AS owner_username, users.name AS owner_name
         FROM (SELECT * ${listed} ORDER BY ${order} LIMIT @limit OFFSET @offset) AS page JOIN users ON users.id = owner_id ORDER BY ${order.replaceAll(/\bid\b/g, 'page.id')}`,
      );
      lists.set(order, statement);
    }
    return statement;
  }

  return {
    byId: async (id) => byId.get(id) ?? null,
    withOwner: async (id) => withOwner.get(id) ?? null,
    list: async (listing) => {
      const { visibleTo, now, limit, offset } = listing;
      const filter: Filter = { visibleTo, now, pattern: likePattern(listing.search) };
      return {
        rows: listStatement(listing.sort, listing.descending).all({ ...filter, limit, offset }),
        total: count.get(filter) ?? 0,
      };
    },
    rename: async (id, title) => void rename.run(title, id),
    remove: async (id) => void remove.run(id),
  };
}
