import type { LastEnd } from './maintenance/end-mark.ts';
import { purgeOnSchedule, type PurgeStore } from './database/purge.ts';
import { chunkLifetimeMs } from './errors/artifact-uploads/upload-limits.ts';
import { retainOnSchedule } from './errors/retention/retention-schedule.ts';
import type { Services } from './services.ts';
import type { TokenUses } from './auth/token-uses.ts';

const flushUsesEveryMs = 5000;
const sweepEveryMs = 3600_000;
const removeEndedAccessEveryMs = 60_000;

/**
 * Starts the periodic work of the running service.
 *
 * @param last how the previous run ended, which decides whether the database is checked and the
 * transfers left open are ended.
 * @returns a function that stops the work and waits for what is under way.
 */
export function startBackgroundTasks(services: Services, uses: TokenUses, last: LastEnd): () => Promise<void> {
  const { log } = services;
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what);
  const flushUses = setInterval(
    () => void uses.flush().catch(warn('last use of tokens not written')),
    flushUsesEveryMs,
  );
  const sweepSessions = setInterval(
    () => void services.sessions.sweep().catch(warn('expired sessions not removed')),
    sweepEveryMs,
  );
  const waitingChunks: PurgeStore = {
    purgeSome: async (now) => services.uploadChunks.removeOlder(now - chunkLifetimeMs),
  };
  const { searchFill, endedAccess } = services.accessUpkeep;
  const { retentionClock } = services;
  const stopPurges = [
    ...[services.oauth, services.jobs, services.auditRetention, waitingChunks, searchFill].map((store) =>
      purgeOnSchedule(store, retentionClock, log),
    ),
    // Access ends by the machine's clock, even one that has jumped ahead.
    purgeOnSchedule(endedAccess, { now: async () => Date.now() }, log, removeEndedAccessEveryMs),
  ];
  const stopRetention = retainOnSchedule(services);
  const stopWatchingDiskSpace = services.diskSpace.watch();
  services.endCheck.after(last);
  const stopping = new AbortController();
  const leftOver =
    last === 'clean'
      ? null
      : services.transfers.endLeftOver(Date.now(), stopping.signal).catch(warn('transfers of the last run not ended'));
  return async () => {
    stopping.abort();
    clearInterval(flushUses);
    clearInterval(sweepSessions);
    stopWatchingDiskSpace();
    services.endCheck.stop();
    await Promise.all(stopPurges.map((stop) => stop()));
    await stopRetention();
    await leftOver;
  };
}
