import { openDatabase } from './open.ts';
import { storeContext, type StoreContext } from './store-context.ts';
import { busyTimeoutMs } from './write-lock.ts';

/** An open database as stores see it. */
export interface OpenedDatabase {
  readonly context: StoreContext;
  close(): Promise<void>;
}

/**
 * Opens the database of a service.
 *
 * @throws StartError `data-unusable` or `data-newer`, with a line that says what to do.
 */
export async function openConfigured({ dataDir }: { readonly dataDir: string }): Promise<OpenedDatabase> {
  const connection = openDatabase(dataDir);
  connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
  return { context: storeContext(connection), close: async () => void connection.close() };
}
