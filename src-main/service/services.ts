import type Database from 'better-sqlite3';
import type { Logger } from 'pino';
import { knownPlacesStore, type KnownPlacesStore } from './accounts/store/known-places-store.ts';
import { passwords, type Passwords } from './secrets/passwords.ts';
import { recoveryCodesStore, type RecoveryCodesStore } from './accounts/store/recovery-codes-store.ts';
import { secondFactorsStore, type SecondFactorsStore } from './accounts/store/second-factors-store.ts';
import { sessions, type Sessions } from './accounts/store/sessions.ts';
import { sessionsStore } from './accounts/store/sessions-store.ts';
import { signInFailuresStore, type SignInFailuresStore } from './accounts/store/sign-in-failures-store.ts';
import { totpKeysStore, type TotpKeysStore } from './accounts/store/totp-keys-store.ts';
import { userListStore, type UserListStore } from './accounts/store/user-list-store.ts';
import { usersStore, type UsersStore } from './accounts/store/users-store.ts';
import { webauthnKeysStore, type WebauthnKeysStore } from './accounts/store/webauthn-keys-store.ts';
import { atMostEach } from './common/at-most-each.ts';
import { auditListStore, type AuditListStore } from './audit/audit-list-store.ts';
import { auditSubjectsStore, type AuditSubjectsStore } from './audit/trail/audit-subjects-store.ts';
import { auditRetention } from './audit/audit-retention.ts';
import { auditRetentionStore } from './audit/audit-retention-store.ts';
import { auditStore, type AuditStore } from './audit/audit-store.ts';
import { downloadsListStore, type DownloadsListStore } from './measurements/store/downloads-list-store.ts';
import { pastTransfersStore, type PastTransfersStore } from './transfers/past-transfers-store.ts';
import { transfersStore, type TransfersStore } from './transfers/transfers-store.ts';
import { dataPaths, type ServiceConfig } from './config/config.ts';
import { ChangeCounter } from './database/change-counter.ts';
import { DataRoom } from './database/data-room.ts';
import { EndCheck } from './maintenance/end-check.ts';
import { GroupCommit } from './database/group-commit.ts';
import type { PurgeStore } from './database/purge.ts';
import { retryBackgroundForMs, retryWrites, retryWritesForMs, WriteLock } from './database/write-lock.ts';
import { settingsStore, type SettingsStore } from './database/settings-store.ts';
import { diagnosticsStore, type DiagnosticsStore } from './diagnostics/diagnostics-store.ts';
import { announcedReleasesStore, type AnnouncedReleasesStore } from './errors/store/announced-releases-store.ts';
import { chunksStore, type ChunksStore } from './errors/store/chunks-store.ts';
import { clientKeysStore, type ClientKeysStore } from './errors/store/client-keys-store.ts';
import { errorChangesStore, type ErrorChangesStore } from './errors/store/change-errors-store.ts';
import { mergeStore, type MergeStore } from './errors/store/merge-store.ts';
import { errorDetailStore, type ErrorDetailStore } from './errors/store/error-detail-store.ts';
import { errorEventStore, type ErrorEventStore } from './errors/store/error-event-store.ts';
import { intakeStore, type IntakeStore } from './errors/store/error-intake-store.ts';
import { errorListStore, type ErrorListStore } from './errors/store/error-list-store.ts';
import { eventsStore, type EventsStore } from './errors/store/events-store.ts';
import { ingestCountsStore, type IngestCountsStore } from './errors/store/ingest-counts-store.ts';
import { releasesStore, type ReleasesStore } from './errors/store/releases-store.ts';
import { releaseSessionsStore, type ReleaseSessionsStore } from './errors/store/release-sessions-store.ts';
import { retentionStore, type RetentionStore } from './errors/store/retention-store.ts';
import { errorSettingsStore, type ErrorSettingsStore } from './errors/store/settings-store.ts';
import { sourceMapReader, type SourceMapReader } from './errors/source-maps/source-map-thread.ts';
import { sourceMapsStore, type SourceMapsStore } from './errors/store/source-maps-store.ts';
import { Events } from './common/events.ts';
import type { Journal } from './fetching/engine/types.ts';
import { fetchFilesStore, type FetchFilesStore } from './fetching/store/fetch-files-store.ts';
import { fetchListStore, type FetchListStore } from './fetching/store/fetch-list-store.ts';
import { fetchesStore, type FetchesStore } from './fetching/store/fetches-store.ts';
import { journalStore } from './fetching/store/journal-store.ts';
import { jobsStore, type JobsStore } from './jobs/jobs-store.ts';
import { countAudit, countDroppedEvents, countEvents, countSignInFailures, countTokens, countTransfers } from './instrumentation/count-stores.ts';
import { Counters } from './metrics/counters.ts';
import { storedNumbersStore, type StoredNumbersStore } from './metrics/stored-numbers-store.ts';
import { accessUpkeepStore, type AccessUpkeepStore } from './measurements/store/access-upkeep-store.ts';
import { blockSumsStore, type BlockSumsStore } from './measurements/store/block-sums-store.ts';
import { fileListStore, type FileListStore } from './measurements/store/file-list.ts';
import { fileOrdersStore } from './measurements/store/file-orders-store.ts';
import { filesStore, type FilesStore } from './measurements/store/files-store.ts';
import { grantsStore, type GrantsStore } from './measurements/store/grants-store.ts';
import { measurementsStore, type MeasurementsStore } from './measurements/store/measurements-store.ts';
import { registrationStore, type RegistrationStore } from './measurements/store/registration-store.ts';
import { leftOutStore, type LeftOutStore } from './measurements/store/left-out-store.ts';
import { UncheckedFiles } from './measurements/store/unchecked-files.ts';
import { deviceCodesStore, type DeviceCodesStore } from './oauth/store/device-codes-store.ts';
import { oauthStore, type OAuthStore } from './oauth/store/oauth-store.ts';
import { applicationsStore, type ApplicationsStore } from './oauth/store/applications-store.ts';
import { signingKey, type SigningKey } from './oauth/openid/signing-key.ts';
import { OwnErrors } from './own-errors/own-errors.ts';
import { hiddenProjectsStore, type HiddenProjectsStore } from './projects/hidden-projects-store.ts';
import { membersStore, type MembersStore } from './projects/members-store.ts';
import { RetentionClock } from './database/retention-clock.ts';
import { projectsStore, type ProjectsStore } from './projects/projects-store.ts';
import { secretBox, type SecretBox } from './secrets/secret-box.ts';
import { serversStore, type RemoteServersStore } from './servers/servers-store.ts';
import { tokensStore, type TokensStore } from './tokens/tokens-store.ts';

/** What operations work with; the command line makes it without a server around it. */
export interface Services {
  readonly config: ServiceConfig;
  readonly paths: ReturnType<typeof dataPaths>;
  readonly log: Logger;
  readonly events: Events;
  /** What operators ask for. */
  readonly counters: Counters;
  readonly storedNumbers: StoredNumbersStore;
  readonly diagnostics: DiagnosticsStore;
  /** Benchport's own errors; recorded only by a service. */
  readonly ownErrors: OwnErrors;
  readonly changes: ChangeCounter;
  readonly room: DataRoom;
  readonly endCheck: EndCheck;
  readonly groupCommit: GroupCommit;
  readonly writeLock: WriteLock;
  readonly secrets: SecretBox;
  readonly settings: SettingsStore;
  readonly users: UsersStore;
  readonly userList: UserListStore;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly signInFailures: SignInFailuresStore;
  /** Where users have signed in from. */
  readonly knownPlaces: KnownPlacesStore;
  readonly secondFactors: SecondFactorsStore;
  readonly totpKeys: TotpKeysStore;
  readonly recoveryCodes: RecoveryCodesStore;
  readonly webauthnKeys: WebauthnKeysStore;
  readonly tokens: TokensStore;
  readonly applications: ApplicationsStore;
  readonly oauth: OAuthStore;
  readonly deviceCodes: DeviceCodesStore;
  /** The key that signs id_tokens. */
  readonly signingKey: () => Promise<SigningKey>;
  readonly projects: ProjectsStore;
  readonly members: MembersStore;
  readonly hiddenProjects: HiddenProjectsStore;
  readonly clientKeys: ClientKeysStore;
  readonly errorEvents: EventsStore;
  readonly errorList: ErrorListStore;
  readonly errorDetails: ErrorDetailStore;
  readonly errorEventList: ErrorEventStore;
  readonly errorChanges: ErrorChangesStore;
  readonly errorMerges: MergeStore;
  readonly intake: IntakeStore;
  readonly releases: ReleasesStore;
  readonly sourceMaps: SourceMapsStore;
  readonly sourceMapReader: SourceMapReader;
  /** Chunks of source maps that build tools upload. */
  readonly uploadChunks: ChunksStore;
  readonly announcedReleases: AnnouncedReleasesStore;
  readonly releaseSessions: ReleaseSessionsStore;
  readonly ingestCounts: IngestCountsStore;
  readonly errorSettings: ErrorSettingsStore;
  readonly retention: RetentionStore;
  /** By which rows are removed for their age. */
  readonly retentionClock: RetentionClock;
  readonly measurements: MeasurementsStore;
  readonly accessUpkeep: AccessUpkeepStore;
  readonly files: FilesStore;
  readonly fileList: FileListStore;
  readonly blockSums: BlockSumsStore;
  readonly leftOut: LeftOutStore;
  readonly unchecked: UncheckedFiles;
  readonly grants: GrantsStore;
  readonly audit: AuditStore;
  readonly auditList: AuditListStore;
  readonly auditSubjects: AuditSubjectsStore;
  /** Removes what of the audit trail is older, or more, than is kept. */
  readonly auditRetention: PurgeStore;
  readonly transfers: TransfersStore;
  readonly pastTransfers: PastTransfersStore;
  readonly downloads: DownloadsListStore;
  readonly jobs: JobsStore;
  readonly registrations: RegistrationStore;
  /** Where measurements are fetched from. */
  readonly servers: RemoteServersStore;
  readonly fetches: FetchesStore;
  readonly fetchFiles: FetchFilesStore;
  readonly fetchList: FetchListStore;
  /** What is on disk of what is fetched. */
  readonly fetchJournal: Journal;
}

/** Wires the stores over one open database. */
export function createServices(config: ServiceConfig, database: Database.Database, log: Logger, ownErrors = new OwnErrors()): Services {
  const events = new Events();
  const changes = new ChangeCounter(database);
  const announceAudit = atMostEach(1000, () => events.emit('changed', { topic: 'audit' }));
  const writeLock = new WriteLock(database);
  const groupCommit = new GroupCommit(database, writeLock);
  const retried = <Store extends object>(store: Store): Store => retryWrites(writeLock, store);
  const background = <Store extends object>(store: Store): Store => retryWrites(writeLock, store, retryBackgroundForMs);
  const users = retried(usersStore(database));
  const secrets = secretBox(config.dataDir);
  const settings = retried(settingsStore(database));
  const counters = new Counters();
  const oauth = countTokens(retried(oauthStore(database, groupCommit)), counters);
  const accessUpkeep = accessUpkeepStore(database);
  const retention = retried(retentionStore(database, groupCommit));
  return {
    config,
    paths: dataPaths(config.dataDir),
    log,
    events,
    counters,
    storedNumbers: storedNumbersStore(database),
    diagnostics: diagnosticsStore(database),
    ownErrors,
    changes,
    room: new DataRoom({ config, retention, events, log }),
    endCheck: new EndCheck({ config, events, log }),
    groupCommit,
    writeLock,
    secrets,
    settings,
    users,
    userList: userListStore(database),
    sessions: sessions(retryWrites(writeLock, sessionsStore(database), retryWritesForMs, { touch: 0 }), users),
    passwords: passwords(),
    signInFailures: countSignInFailures(retried(signInFailuresStore(database)), counters),
    knownPlaces: retried(knownPlacesStore(database)),
    secondFactors: retried(secondFactorsStore(database)),
    totpKeys: retried(totpKeysStore(database)),
    recoveryCodes: retried(recoveryCodesStore(database)),
    webauthnKeys: retried(webauthnKeysStore(database)),
    tokens: retried(tokensStore(database)),
    applications: retried(applicationsStore(database)),
    oauth,
    deviceCodes: retried(deviceCodesStore(database, groupCommit, oauth)),
    signingKey: signingKey({ settings, secrets, log }),
    projects: retried(projectsStore(database)),
    members: retried(membersStore(database)),
    hiddenProjects: retried(hiddenProjectsStore(database, groupCommit)),
    clientKeys: retried(clientKeysStore(database, changes)),
    errorEvents: countEvents(eventsStore(database, groupCommit), counters),
    errorList: errorListStore(database),
    errorDetails: errorDetailStore(database),
    errorEventList: errorEventStore(database),
    errorChanges: retried(errorChangesStore(database, groupCommit)),
    errorMerges: retried(mergeStore(database, groupCommit)),
    intake: retried(intakeStore(database)),
    releases: retried(releasesStore(database)),
    sourceMaps: retried(sourceMapsStore(database)),
    sourceMapReader: sourceMapReader(),
    uploadChunks: retried(chunksStore(database)),
    announcedReleases: retried(announcedReleasesStore(database)),
    releaseSessions: releaseSessionsStore(database, groupCommit),
    ingestCounts: countDroppedEvents(background(ingestCountsStore(database, groupCommit)), counters),
    errorSettings: retried(errorSettingsStore(database)),
    retention,
    retentionClock: new RetentionClock({ settings, log }),
    measurements: retried(measurementsStore(database)),
    accessUpkeep: { searchFill: background(accessUpkeep.searchFill), endedAccess: background(accessUpkeep.endedAccess) },
    files: retried(filesStore(database)),
    fileList: retried(fileListStore(database, fileOrdersStore(database))),
    blockSums: blockSumsStore(database),
    leftOut: retried(leftOutStore(database)),
    unchecked: new UncheckedFiles(),
    grants: retried(grantsStore(database)),
    audit: countAudit(retried(auditStore(database, announceAudit)), counters),
    auditList: auditListStore(database),
    auditSubjects: auditSubjectsStore(database),
    auditRetention: auditRetention({ store: auditRetentionStore(database, groupCommit), settings, log }),
    transfers: countTransfers(background(transfersStore(database)), counters),
    pastTransfers: pastTransfersStore(database),
    downloads: downloadsListStore(database),
    jobs: retryWrites(writeLock, jobsStore(database), retryBackgroundForMs, { create: retryWritesForMs, change: retryWritesForMs }),
    registrations: retryWrites(writeLock, registrationStore(database), retryBackgroundForMs, { reserve: retryWritesForMs }),
    servers: retried(serversStore(database, secrets)),
    fetches: background(fetchesStore(database, groupCommit)),
    fetchFiles: background(fetchFilesStore(database, groupCommit)),
    fetchList: fetchListStore(database),
    fetchJournal: background(journalStore(database, groupCommit)),
  };
}
