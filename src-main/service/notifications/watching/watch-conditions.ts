import type { Logger } from 'pino';
import { repeatedly } from '../../common/repeatedly.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { RetentionClock } from '../../database/retention-clock.ts';
import type { ServerStores } from '../../servers/stores.ts';
import { askServers } from './ask-servers.ts';
import { tellOfEndings, type EndingSoonDeps } from './ending-soon.ts';
import { tellOfErrorStorms, type ErrorStormsDeps } from './error-storms.ts';
import { tellOfLateBackup, type LateBackupDeps } from './late-backup.ts';
import { lateCopies, type LateCopiesDeps } from './late-copies.ts';
import { tellOfLowDisks } from './low-disk.ts';
import { SteadyClock } from './steady-clock.ts';

export type WatchingDeps = ErrorStormsDeps &
  LateBackupDeps &
  LateCopiesDeps &
  Omit<EndingSoonDeps, 'servers'> &
  Pick<ServerStores, 'servers'> & {
    readonly config: ServiceConfig;
    readonly retentionClock: RetentionClock;
    readonly log: Logger;
  };

const oftenMs = 60_000;
const seldomMs = 10 * 60_000;

/**
 * Looks regularly for what is told without anybody's doing: late copies and backups, storms of
 * errors, disks with little space, and what will expire.
 *
 * @returns what ends it.
 */
export function watchConditions(deps: WatchingDeps): () => Promise<void> {
  const clock = new SteadyClock(deps.retentionClock);
  const tellOfLateCopies = lateCopies(deps);
  const servers = askServers(deps);
  const ends = [
    every(deps.log, oftenMs, 'storms of errors', async () => tellOfErrorStorms(deps, Date.now())),
    every(deps.log, oftenMs, 'disks with little space', async () => tellOfLowDisks(deps)),
    every(deps.log, seldomMs, 'late copies', async (elapsedMs) => tellOfLateCopies(elapsedMs)),
    every(deps.log, seldomMs, 'late backups', async (elapsedMs) => {
      const now = await clock.now();
      // Others back up a PostgreSQL.
      if (now !== null && !deps.config.database) await tellOfLateBackup(deps, now, elapsedMs);
    }),
    every(deps.log, seldomMs, 'what expires soon', async () => {
      const now = await clock.now();
      if (now !== null) await tellOfEndings({ ...deps, servers }, now);
    }),
  ];
  return async () => void (await Promise.all(ends.map(async (end) => end())));
}

/** Gives the work the time since it was done last, without that for which the machine slept. */
function every(
  log: Logger,
  everyMs: number,
  what: string,
  work: (elapsedMs: number) => Promise<void>,
): () => Promise<void> {
  let before: number | null = null;
  return repeatedly(
    everyMs,
    async () => {
      const now = performance.now();
      const elapsedMs = before === null ? 0 : Math.min(now - before, 2 * everyMs);
      await work(Math.round(elapsedMs));
      before = now;
    },
    (error) => log.warn({ err: error, what }, 'it was not looked for what is to be told'),
  );
}
