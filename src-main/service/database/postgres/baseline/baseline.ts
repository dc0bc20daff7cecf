import { accessChanges } from './access-changes.ts';
import { accessTriggers } from './access-triggers.ts';
import { accountsTables } from './accounts.ts';
import { errorsTables } from './errors.ts';
import { fetchingTables } from './fetching.ts';
import { functions } from './functions.ts';
import { measurementsTables } from './measurements.ts';
import { oauthTables } from './oauth.ts';
import { projectsTables } from './projects.ts';
import { releasesTables } from './releases.ts';

/** The number of the SQLite migration whose tables these are. */
export const baselineNumber = 18;

/**
 * All tables as of that migration: text sorts by code points as in SQLite (`COLLATE "C"`), flags
 * and times are integers. Later migrations have a text for each engine.
 */
export const baseline = [
  functions,
  accountsTables,
  projectsTables,
  measurementsTables,
  oauthTables,
  errorsTables,
  releasesTables,
  fetchingTables,
  accessTriggers,
  accessChanges,
].join('\n');
