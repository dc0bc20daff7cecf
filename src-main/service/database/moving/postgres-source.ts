import { StartError } from '../../common/start-error.ts';
import { explainUnusable } from '../postgres/explain-unusable.ts';
import { newestSchema, refuseNewer, schemaVersion } from '../postgres/migrate.ts';
import { movedTables } from './moved-tables.ts';
import { openPostgresSide, refuseReplicas, type PostgresSide } from './postgres-side.ts';
import { quoted } from './rows.ts';
import type { MoveSource } from './sides.ts';

/**
 * A PostgreSQL database that data are moved from.
 *
 * @throws StartError when it cannot be reached or has another version.
 */
export async function openPostgresSource(url: string): Promise<MoveSource> {
  const opened = await openPostgresSide(url);
  try {
    const version = await schemaVersion(opened.rows);
    refuseNewer(version);
    if (version === 0)
      throw new StartError('data-unusable', 'The database has no tables of Benchport: there is nothing to move.');
    if (version !== newestSchema())
      throw new StartError(
        'data-unusable',
        `The database has the version ${version}, and this program needs ${newestSchema()}. Run "benchport database migrate" first.`,
      );
    return sourceOf(opened, url);
  } catch (error) {
    await opened.side.close();
    throw explainUnusable(error, url);
  }
}

function sourceOf({ rows, side }: PostgresSide, url: string): MoveSource {
  return {
    ...side,
    hold: async () => {
      await refuseReplicas(rows, url);
      await rows.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const tables = movedTables().map(({ name }) => quoted(name));
      // Who writes is waited for for a moment, and waits from then on.
      await rows.query(`LOCK TABLE ${tables.join()} IN SHARE MODE`);
    },
    bytes: async () => {
      const found = await rows.query<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes');
      return found.rows[0]?.bytes ?? 0;
    },
    count: async (table) => {
      const found = await rows.query<{ count: number }>(`SELECT count(*) AS count FROM ${quoted(table)}`);
      return found.rows[0]?.count ?? 0;
    },
    highestId: async (name) => {
      const found = await rows.query<{ highest: number | null }>(highestIdQuery, [name, `${name}_ids`]);
      return found.rows[0]?.highest ?? 0;
    },
  };
}

// Of an identity column, or of the last block of ids that a replica took (postgres/id-blocks.ts), from
// which any may have been used.
const highestIdQuery = `SELECT max(highest) AS highest FROM (
  SELECT last_value AS highest FROM pg_sequences
  WHERE schemaname = current_schema() AND format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence(format('%I', CAST($1 AS text)), 'id')
  UNION ALL
  SELECT last_value + increment_by - 1 FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = $2
) AS sequences`;
