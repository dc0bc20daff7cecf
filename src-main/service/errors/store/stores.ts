import type { StoreContext } from '../../database/store-context.ts';
import { announcedReleasesStore, type AnnouncedReleasesStore } from './announced-releases-store.ts';
import { chunksStore, type ChunksStore } from './chunks-store.ts';
import { clientKeysStore, type ClientKeysStore } from './client-keys-store.ts';
import { errorChangesStore, type ErrorChangesStore } from './change-errors-store.ts';
import { errorDetailStore, type ErrorDetailStore } from './error-detail-store.ts';
import { errorEventStore, type ErrorEventStore } from './error-event-store.ts';
import { errorListStore, type ErrorListStore } from './list/error-list-store.ts';
import { postgresErrorListStore } from './list/postgres-error-list-store.ts';
import { errorSettingsStore, type ErrorSettingsStore } from './settings-store.ts';
import { eventSetsStore } from './event-sets-store.ts';
import { eventsStore, type EventsStore } from './events-store.ts';
import { ingestCountsStore, type IngestCountsStore } from './ingest-counts-store.ts';
import { ingestStatsStore, type IngestStatsStore } from './ingest-stats-store.ts';
import { mergeStore, type MergeStore } from './merge-store.ts';
import { releaseSessionsStore, type ReleaseSessionsStore } from './release-sessions-store.ts';
import { releasesStore, type ReleasesStore } from './releases-store.ts';
import { retentionStore, type RetentionStore } from './retention-store.ts';
import { sourceMapsStore, type SourceMapsStore } from './source-maps-store.ts';

export interface ErrorStores {
  readonly clientKeys: ClientKeysStore;
  readonly errorEvents: EventsStore;
  readonly errorList: ErrorListStore;
  readonly errorDetails: ErrorDetailStore;
  readonly errorEventList: ErrorEventStore;
  readonly errorChanges: ErrorChangesStore;
  readonly errorMerges: MergeStore;
  readonly intake: IngestStatsStore;
  readonly releases: ReleasesStore;
  readonly sourceMaps: SourceMapsStore;
  /** Chunks of source maps that build tools upload. */
  readonly uploadChunks: ChunksStore;
  readonly announcedReleases: AnnouncedReleasesStore;
  readonly releaseSessions: ReleaseSessionsStore;
  readonly ingestCounts: IngestCountsStore;
  readonly errorSettings: ErrorSettingsStore;
  readonly retention: RetentionStore;
}

export function errorStores({
  engine,
  database,
  changes,
  reusableBytes,
  retried,
  background,
}: StoreContext): ErrorStores {
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
    uploadChunks: retried(chunksStore(database)),
    announcedReleases: retried(announcedReleasesStore(database)),
    releaseSessions: onPostgres ? retried(releaseSessions) : releaseSessions,
    ingestCounts: background(ingestCountsStore(database)),
    errorSettings: retried(errorSettingsStore(database)),
    retention: retried(retentionStore(database, reusableBytes)),
  };
}
