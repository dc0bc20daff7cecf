import { StartError } from '../../common/start-error.ts';
import type { DatabaseSettings } from '../database-settings.ts';
import { GroupCommit } from '../sqlite/group-commit.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/all.ts';
import type { OpenedDatabase } from '../opened-database.ts';
import { openSqliteFile } from '../sqlite/sqlite-file.ts';
import type { LocalDatabase } from '../store-context.ts';
import { addFolding } from '../text-search.ts';
import { explainUnusable, withoutPassword } from './explain-unusable.ts';
import { idBlocks } from './id-blocks.ts';
import { newestSchema, refuseNewer, schemaVersion } from './migrate.ts';
import { readPostgresMark, refuseMarked } from './move-mark.ts';
import { connectTimeoutMs, openPools, type Pools } from './pools.ts';
import { createReplica, type ReplicaOptions } from './replica/replica.ts';
import type { ClusterProcess } from './replica/lease.ts';
import { postgresDatabase } from './postgres-database.ts';
import { UnwrittenRetries } from './unwritten-retries.ts';

/** Told of what fails in the background, such as a lost connection. */
export type OnDatabaseError = (error: unknown, message: string) => void;

/**
 * Opens a PostgreSQL database whose tables `benchport database migrate` made.
 *
 * @param own null for a process that takes no lease.
 * @throws StartError `data-unusable` when it cannot be reached or has other tables, `data-newer`.
 */
export async function openPostgres(
  settings: DatabaseSettings,
  own: ClusterProcess | null,
  onError: OnDatabaseError,
): Promise<OpenedDatabase> {
  const { url, connections } = settings;
  const pools = await openPools({
    url,
    size: connections,
    onIdleError: (error) => onError(error, 'a connection to the database failed'),
  });
  const replica = createReplica({
    ...(await unconnected(settings)),
    reading: pools.reading,
    process: own,
    onError,
  });
  try {
    await checkSchema(pools);
    await refuseInMove(pools, url);
    await replica.start();
    // Again, since its lease is there now: a move looks for leases after it left its mark.
    await refuseInMove(pools, url);
  } catch (error) {
    await replica.close();
    await pools.close();
    throw explainUnusable(error, url);
  }
  const retries = new UnwrittenRetries();
  const local = temporaryDatabase();
  return {
    context: {
      engine: 'postgres',
      database: postgresDatabase(pools),
      local,
      changes: replica.changes,
      cluster: replica.cluster,
      writeLock: retries,
      // The disk is not this machine's.
      reusableBytes: async () => 0,
      idSource: async (table) => idBlocks(pools.writing, `${table}_ids`, onError),
      retried: (store) => retries.retried(store),
      background: (store) => retries.background(store),
    },
    close: once(async () => {
      await replica.close();
      await pools.close();
      local.connection.close();
    }),
  };
}

/** Clients apart from the pools; the one for LISTEN may need another address. */
async function unconnected({
  url,
  listenUrl,
}: DatabaseSettings): Promise<Pick<ReplicaOptions, 'connect' | 'connectToListen'>> {
  const { default: pg } = await import('pg');
  const client = (connectionString: string, name: string) =>
    new pg.Client({
      connectionString,
      application_name: `benchport ${name}`,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    });
  return {
    connect: () => client(url, 'control'),
    connectToListen: () => client(listenUrl ?? url, 'listen'),
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return async () => {
    done ??= work();
    return done;
  };
}

/** Fetches, which only the window has, are not kept in a facility. */
function temporaryDatabase(): LocalDatabase {
  const connection = openSqliteFile(':memory:');
  addFolding(connection);
  migrate(connection, migrations, '');
  return { connection, groupCommit: new GroupCommit(connection) };
}

async function checkSchema({ reading }: Pools): Promise<void> {
  const version = await schemaVersion(reading);
  refuseNewer(version);
  if (version !== newestSchema())
    throw new StartError(
      'data-unusable',
      version === 0
        ? 'The database has no tables of Benchport. Run "benchport database migrate" first.'
        : `The database has the version ${version}, and this program needs ${newestSchema()}. Run "benchport database migrate" first.`,
    );
}

async function refuseInMove({ reading }: Pools, url: string): Promise<void> {
  refuseMarked(await readPostgresMark(reading), withoutPassword(url));
}
