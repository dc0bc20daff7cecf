import type { DatabaseSettings } from '../database-settings.ts';
import { refuseMoved } from '../moving/data-mark.ts';
import { openDatabase } from '../open.ts';
import type { OpenedDatabase } from '../opened-database.ts';
import { createReadThread } from '../sqlite/read-thread.ts';
import { storeContext } from '../store-context.ts';
import { busyTimeoutMs } from '../sqlite/write-lock.ts';

export interface DatabaseChoice {
  readonly dataDir: string;
  /** Null or left out: SQLite in the data directory. */
  readonly database?: DatabaseSettings | null;
  /** How others know this process. */
  readonly process: { readonly name: string; readonly version: string; readonly serves: boolean };
}

/**
 * Opens the database of a service.
 *
 * @param onError told of what fails in the background.
 * @throws StartError `data-unusable` or `data-newer`, with a line that says what to do.
 */
export async function openConfigured(
  { dataDir, database, process: own }: DatabaseChoice,
  onError: (error: unknown, message: string) => void,
): Promise<OpenedDatabase> {
  if (database) {
    const { openPostgres } = await import('../postgres/open.ts');
    return openPostgres(database, own, onError);
  }
  refuseMoved(dataDir);
  const connection = openDatabase(dataDir);
  connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
  const readThread = createReadThread(connection.name);
  return {
    context: storeContext(connection, readThread),
    close: async () => {
      await readThread.close();
      connection.close();
    },
  };
}
