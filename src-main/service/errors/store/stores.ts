import type { StoreContext } from '../../database/store-context.ts';
import { announcedReleasesStore } from './announced-releases-store.ts';
import { chunksStore } from './chunks-store.ts';
import { clientKeysStore } from './client-keys-store.ts';
import { errorChangesStore } from './change-errors-store.ts';
import { errorDetailStore } from './error-detail-store.ts';
import { errorEventStore } from './error-event-store.ts';
import { errorListStore } from './list/error-list-store.ts';
import { postgresErrorListStore } from './list/postgres-error-list-store.ts';
import { errorSettingsStore } from './settings-store.ts';
import { eventSetsStore } from './event-sets-store.ts';
import { eventsStore } from './events-store.ts';
import { ingestCountsStore } from './ingest-counts-store.ts';
import { ingestStatsStore } from './ingest-stats-store.ts';
import { mergeStore } from './merge-store.ts';
import { releaseSessionsStore } from './release-sessions-store.ts';
import { releasesStore } from './releases-store.ts';
import { retentionStore } from './retention-store.ts';
import { sourceMapsStore } from './source-maps-store.ts';

export function errorStores({ engine, database, changes, reusableBytes, retried, background }: StoreContext) {
  const onPostgres = engine === 'postgres';
  // On SQLite, these wait for the lock themselves: their work of many requests is one transaction.
  const releaseSessions = releaseSessionsStore(database);
  return {
    clientKeys: retried(clientKeysStore(database, changes)),
    errorEvents: onPostgres ? eventSetsStore({ database, retried }) : eventsStore(database),
    errorList: onPostgres ? postgresErrorListStore(database) : errorListStore(database),
    errorDetails: errorDetailStore(database),
    errorEventList: errorEventStore(database),
    errorChanges: retried(errorChangesStore(database)),
    errorMerges: retried(mergeStore(database)),
    intake: retried(ingestStatsStore(database)),
    releases: retried(releasesStore(database)),
    sourceMaps: retried(sourceMapsStore(database)),
    /** Chunks of source maps that build tools upload. */
    uploadChunks: retried(chunksStore(database)),
    announcedReleases: retried(announcedReleasesStore(database)),
    releaseSessions: onPostgres ? retried(releaseSessions) : releaseSessions,
    ingestCounts: background(ingestCountsStore(database)),
    errorSettings: retried(errorSettingsStore(database)),
    retention: retried(retentionStore(database, reusableBytes)),
  };
}

export type ErrorStores = ReturnType<typeof errorStores>;
