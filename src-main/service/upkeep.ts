import { purgeOnSchedule, type PurgeStore } from './database/purge.ts';
import { chunkLifetimeMs } from './errors/artifact-uploads/upload-limits.ts';
import { retainOnSchedule } from './errors/retention/retention-schedule.ts';
import { endDeadReplicas } from './maintenance/end-dead-replicas.ts';
import { removeObjectsOnSchedule } from './measurements/objects/remove-objects.ts';
import { continueRemovalsOnSchedule } from './measurements/removed/purge-removed.ts';
import type { Services } from './services.ts';

const sweepEveryMs = 3600_000;
const removeEndedEveryMs = 60_000;

/**
 * Starts the work that one process does for all that serve a database: what removes rows for their
 * age.
 *
 * @returns a function that stops it and waits for what is under way.
 */
export function startUpkeep(services: Services): () => Promise<void> {
  const { cluster, log, retentionClock } = services;
  const { searchFill, endedAccess } = services.accessUpkeep;
  const { measurementTimes, errorMinutes } = services.timelineFills;
  const sweepSessions = setInterval(
    () =>
      void services.sessions
        .sweep()
        .catch((error: unknown) => log.warn({ err: error }, 'expired sessions not removed')),
    sweepEveryMs,
  );
  const waitingChunks: PurgeStore = {
    purgeSome: async (now) => services.uploadChunks.removeOlder(now - chunkLifetimeMs),
  };
  const stops = [
    ...[
      services.oauth,
      services.jobs,
      services.deliveries,
      services.happenings,
      services.captureRuns,
      services.auditRetention,
      waitingChunks,
      searchFill,
      measurementTimes,
      errorMinutes,
    ].map((store) => purgeOnSchedule(store, retentionClock, log)),
    // These end by the machine's clock, even one that has jumped ahead.
    ...[endedAccess, services.shortLived].map((store) =>
      purgeOnSchedule(store, { now: async () => Date.now() }, log, removeEndedEveryMs),
    ),
    retainOnSchedule(services),
    removeObjectsOnSchedule(services),
    continueRemovalsOnSchedule(services),
    ...(cluster.replica() === null ? [] : [endDeadReplicas(services)]),
  ];
  return async () => {
    clearInterval(sweepSessions);
    await Promise.all(stops.map(async (stop) => stop()));
  };
}
