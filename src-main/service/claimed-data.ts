import { existsSync } from 'node:fs';
import path from 'node:path';
import { moveAtStart } from './backup/move-at-start.ts';
import { finishSwitch } from './backup/switch-data.ts';
import { StartError } from './common/start-error.ts';
import type { ServiceConfig } from './config/config.ts';
import { lockDataDirectory } from './database/lock.ts';
import { refuseDamaged } from './maintenance/end-check.ts';
import { beginRun, endRun, type LastEnd } from './maintenance/end-mark.ts';

/** A data directory that this process alone uses. */
export interface ClaimedData {
  /** With the directory that the data was moved to, if it was. */
  readonly config: ServiceConfig;
  /** How the last run ended, as far as a check of the database is still due. */
  readonly last: LastEnd;
  /** The backup that was put in place just now. */
  readonly restored: { readonly from: string; readonly as_of: string } | null;
  /** @param clean whether nothing is left to be checked at the next start. */
  readonly release: (clean: boolean) => void;
}

/**
 * Takes the data directory of a service. With PostgreSQL it holds no data, only the log and what can
 * be made anew.
 *
 * @throws StartError
 */
export async function claimData(wanted: ServiceConfig): Promise<ClaimedData> {
  if (wanted.database) return claimScratch(wanted);
  const config = { ...wanted, dataDir: await moveAtStart(wanted.dataDir, (message) => wanted.progress?.(message)) };
  const { dataDir } = config;
  const restored = finishSwitch(dataDir);
  const unlock = lockDataDirectory(dataDir);
  let last: LastEnd | null = null;
  const release = (clean: boolean): void => {
    if (clean) endRun(dataDir);
    unlock();
  };
  try {
    last = beginRun(dataDir);
    return { config, last: await refuseDamaged(dataDir, last), restored, release };
  } catch (error) {
    release(last === 'clean');
    throw error;
  }
}

function claimScratch(config: ServiceConfig): ClaimedData {
  if (existsSync(path.join(config.dataDir, 'benchport.db')))
    throw new StartError(
      'data-unusable',
      `The data directory ${config.dataDir} has a database of its own, which would not be used. Name an empty directory with --data.`,
    );
  return { config, last: 'clean', restored: null, release: lockDataDirectory(config.dataDir) };
}
