import type { DatabaseSettings } from '../database-settings.ts';

/**
 * Creates or upgrades the tables of a PostgreSQL.
 *
 * @returns the versions before and after; 0 for a database without tables.
 * @throws StartError with a line for the user.
 */
export async function migrateDatabase({
  url,
}: DatabaseSettings): Promise<{ readonly before: number; readonly after: number }> {
  const { migratePostgres } = await import('../postgres/migrate.ts');
  const { explainUnusable } = await import('../postgres/explain-unusable.ts');
  try {
    return await migratePostgres(url);
  } catch (error) {
    throw explainUnusable(error, url);
  }
}
