import type { Transaction } from '../../../database/port/database.ts';
import { readValue, write } from '../../../database/port/query.ts';
import { one, run } from '../../../database/port/steps.ts';

/** All columns but the id, the number that a trigger gives, and the state. */
const columns = `title, title_key, owner_id, storage, root, object_key, file_count, total_bytes, problem_count, archive_layout, archive_bytes,
   archive_directory_offset, archive_tag, created_at, registered_at, verified_at, began_at, ended_at`;
const fileColumns = `idx, path, location, length, crc32, sha256, mtime_ns, registered_at, archive_offset, directory_offset, state, problem,
   checked_at, ctime_ns, pieces_sha256`;

const copy = write<[string, string]>(
  `INSERT INTO measurements (id, state, ${columns}) SELECT ?, 'registering', ${columns} FROM measurements WHERE id = ?`,
);
const lastOfSlice = readValue<[string, number], number | null>(
  'SELECT max(idx) FROM (SELECT idx FROM measurement_files WHERE measurement_id = ? ORDER BY idx LIMIT ?) AS slice',
);
const copyFiles = write<[string, string, number]>(
  `INSERT INTO measurement_files (measurement_id, ${fileColumns})
   SELECT ?, ${fileColumns} FROM measurement_files WHERE measurement_id = ? AND idx <= ?`,
);
const ofFiles = ['measurement_blocks', 'measurement_pieces'].map((table) =>
  write<[string, string, number]>(`UPDATE ${table} SET measurement_id = ? WHERE measurement_id = ? AND idx <= ?`),
);
const dropFiles = write<[string, number]>('DELETE FROM measurement_files WHERE measurement_id = ? AND idx <= ?');
const ofMeasurement = ['grants', 'measurement_left_out', 'object_blocks'].map((table) =>
  write<[string, string]>(`UPDATE ${table} SET measurement_id = ? WHERE measurement_id = ?`),
);
const drop = write<[string]>('DELETE FROM measurements WHERE id = ?');
const anyFile = readValue<[string], number>('SELECT 1 FROM measurement_files WHERE measurement_id = ? LIMIT 1');

/** Adds a hidden measurement that is as another one but for its id, without files. */
export function* copyMeasurement(from: string, to: string): Transaction<void> {
  yield* run(copy, to, from);
}

/** Moves a batch of files, in their order, with all that belongs to each. @returns whether there may be more. */
export function* moveFiles(from: string, to: string, limit: number): Transaction<boolean> {
  const last = yield* one(lastOfSlice, from, limit);
  if (last === null) return false;
  yield* run(copyFiles, to, from, last);
  for (const update of ofFiles) yield* run(update, to, from, last);
  yield* run(dropFiles, from, last);
  return true;
}

/** Moves what belongs to the measurement as a whole: who may read it, names left out, sums of its object. */
export function* moveRest(from: string, to: string): Transaction<void> {
  for (const update of ofMeasurement) yield* run(update, to, from);
}

/** Removes the row of a measurement whose files were all moved. @throws Error when there are some left. */
export function* dropEmptied(id: string): Transaction<void> {
  if ((yield* one(anyFile, id)) !== null) throw new Error(`${id} still has files`);
  yield* run(drop, id);
}
