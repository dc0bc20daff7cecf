import type { Migration } from './early/migration.ts';

// Without it every start reads all measurements to find those that a kill left unfinished.
const sql = `CREATE INDEX measurements_unfinished ON measurements (created_at) WHERE state = 'registering';`;

/** Finds measurements that are being registered or removed. */
export const unfinishedMeasurements: Migration = { number: 38, name: 'unfinished-measurements', sql, postgres: sql };
