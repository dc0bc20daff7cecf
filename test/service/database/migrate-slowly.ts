// Runs a migration that a test kills midway. Arguments: the database file and the folder for
// backups.
import Database from 'better-sqlite3';
import { writeSync } from 'node:fs';
import { migrate } from '../../../src-main/service/database/migrate.ts';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';
import { slowMigration } from './slow-migration.ts';

const [file = '', backups = ''] = process.argv.slice(2);
const database = new Database(file);
database.pragma('journal_mode = WAL');
writeSync(1, 'migrating\n');
migrate(database, [...migrations, slowMigration(200_000_000)], backups);
