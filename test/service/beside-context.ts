import type { OpenedDatabase } from '../../src-main/service/database/opened-database.ts';
import { openPostgres } from '../../src-main/service/database/postgres/open.ts';
import { storeContext } from '../../src-main/service/database/store-context.ts';
import { openBeside } from './fixture-measurement.ts';
import type { TestService } from './start.ts';

/** The context of stores in another process on the database of a service. */
export async function contextBeside(service: Pick<TestService, 'services'>): Promise<OpenedDatabase> {
  const { database } = service.services.config;
  if (database) return openPostgres(database, null, () => undefined);
  const connection = openBeside(service);
  return { context: storeContext(connection), close: async () => void connection.close() };
}

/** On PostgreSQL, gives work to a replica that is dead; SQLite's rows name a process that is. */
export function giveToDeadReplica(service: Pick<TestService, 'services'>, table: 'jobs' | 'downloads'): void {
  if (!service.services.config.database) return;
  const beside = openBeside(service);
  beside.exec(`UPDATE ${table} SET replica_id = 0`);
  beside.close();
}
