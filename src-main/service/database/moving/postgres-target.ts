import type { Client } from 'pg';
import { explainUnusable } from '../postgres/explain-unusable.ts';
import { checkEncoding, migratePostgres, newestSchema, refuseNewer, schemaVersion } from '../postgres/migrate.ts';
import { leftBehind, movedTables } from './moved-tables.ts';
import { insertPostgresRows, lastPostgresKey } from './postgres-rows.ts';
import { openPostgresSide, refuseReplicas, type PostgresSide } from './postgres-side.ts';
import { quoted } from './rows.ts';
import type { MoveTarget } from './sides.ts';

/**
 * A PostgreSQL database that data are moved to.
 *
 * @throws StartError when it cannot be reached, is newer, or its encoding is not UTF-8.
 */
export async function openPostgresTarget(url: string): Promise<MoveTarget> {
  const opened = await openPostgresSide(url);
  try {
    await checkEncoding(opened.rows);
    refuseNewer(await schemaVersion(opened.rows));
    return targetOf(opened, url);
  } catch (error) {
    await opened.side.close();
    throw explainUnusable(error, url);
  }
}

function targetOf({ rows, side }: PostgresSide, url: string): MoveTarget {
  const tables = movedTables();
  return {
    ...side,
    engine: 'postgres',
    isInPlace: async () => false,
    refusal: async () => {
      await refuseReplicas(rows, url);
      const filled = await filledTables(rows);
      return filled.length === 0
        ? null
        : `${side.shown} is not empty: it has rows in ${filled.join(', ')}. Name an empty database.`;
    },
    prepare: async () => {
      if ((await schemaVersion(rows)) !== newestSchema()) await migratePostgres(url);
    },
    lastKey: async (table) => lastPostgresKey(rows, table),
    insert: async (table, page) => insertPostgresRows(rows, table, page),
    finish: async (highestIds) => {
      for (const name of new Set([...tables.map((table) => table.name), ...highestIds.keys()]))
        await setNumbers(rows, name, highestIds.get(name));
      await rows.query('ANALYZE');
    },
    addSetting: async (key, value) => {
      await rows.query('INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING', [key, value]);
    },
    putInPlace: async () => {
      // A commit with an identifier writes everything before it to disk.
      await rows.query('SET synchronous_commit = on; SELECT pg_current_xact_id()');
    },
    clear: async () => {
      if ((await schemaVersion(rows)) === 0) return;
      const all = [...tables.map(({ name }) => name), 'measurement_access', 'measurement_search'];
      await rows.query(`TRUNCATE ${all.map(quoted).join()} RESTART IDENTITY`);
    },
  };
}

async function filledTables(rows: Client): Promise<readonly string[]> {
  const filled: string[] = [];
  if ((await schemaVersion(rows)) === 0) return filled;
  for (const name of [...movedTables().map((table) => table.name), ...Object.keys(leftBehind)]) {
    if (mayBeFilled.has(name)) continue;
    const table = await rows.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [quoted(name)]);
    if (!table.rows[0]?.there) continue;
    const found = await rows.query<{ filled: boolean }>(`SELECT EXISTS (SELECT 1 FROM ${quoted(name)}) AS filled`);
    if (found.rows[0]?.filled) filled.push(name);
  }
  return filled;
}

/** Rows that migrations or processes leave in a database without data. */
const mayBeFilled = new Set(['search_fills', 'leases', 'replicas']);

/** Sets what identity columns and blocks of ids (postgres/id-blocks.ts) continue from. */
async function setNumbers(rows: Client, table: string, highest = 0): Promise<void> {
  const sequences = await rows.query<{ sequence: string; column: string | null }>(numberedBy, [table]);
  for (const { sequence, column } of sequences.rows) {
    const floor = column === 'number' ? 0 : highest;
    const last = `greatest(CAST($2 AS bigint), (SELECT coalesce(max(${quoted(column ?? 'id')}), 0) FROM ${quoted(table)}))`;
    // A block begins after the last id; an identity column remembers it.
    const next = column === null ? `${last} + 1, false` : `greatest(${last}, 1), ${last} > 0`;
    await rows.query(`SELECT setval(CAST($1 AS regclass), ${next})`, [sequence, floor]);
  }
}

const numberedBy = `
  SELECT pg_get_serial_sequence(format('%I', CAST($1 AS text)), attname) AS sequence, attname AS column FROM pg_attribute
  WHERE attrelid = CAST(format('%I', CAST($1 AS text)) AS regclass) AND attidentity <> '' AND NOT attisdropped
  UNION ALL
  SELECT format('%I.%I', schemaname, sequencename), NULL FROM pg_sequences
  WHERE schemaname = current_schema() AND sequencename = CAST($1 AS text) || '_ids'`;
