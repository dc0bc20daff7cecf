import type { Migration } from './early/migration.ts';

// Without them these read whole tables: the search for the verification that is due (for each
// measurement all jobs), jobs of a measurement, old jobs, uploads of a measurement, locked accounts.
const sql = `
CREATE INDEX measurements_by_verification ON measurements (ifnull(verified_at, 0), id) WHERE state <> 'registering';
CREATE INDEX jobs_of_measurement ON jobs (measurement_id, id);
CREATE INDEX jobs_by_end ON jobs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX uploads_of_measurement ON uploads (measurement_id);
CREATE INDEX users_locked ON users (locked_until) WHERE locked_until IS NOT NULL;
`;

/** Finds by an index what was found by reading a table. */
export const foundByIndex: Migration = { number: 39, name: 'found-by-index', sql, postgres: sql };
