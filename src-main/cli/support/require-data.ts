import { existsSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from './terminal.ts';

/** @throws CommandError if the directory holds no database. */
export function requireData(dataDir: string): void {
  if (existsSync(path.join(dataDir, 'benchport.db'))) return;
  throw new CommandError(
    `There is no Benchport data in ${dataDir}. Name the directory with --data, or start Benchport there once.`,
  );
}
