import type { Logger } from 'pino';
import { accountStores, type AccountStores } from './accounts/store/stores.ts';
import { auditRetention } from './audit/audit-retention.ts';
import { auditRetentionStore } from './audit/audit-retention-store.ts';
import { auditSubjectsStore, type AuditSubjectsStore } from './audit/trail/audit-subjects-store.ts';
import { auditStores, type AuditStores } from './audit/stores.ts';
import { throttle } from '../../src-shared/throttle.ts';
import { dataPaths, type DataPaths } from './common/data-paths.ts';
import { Events } from './common/events.ts';
import { Subscribers } from './common/subscribers.ts';
import { captureStores, type CaptureStores } from './capture/store/stores.ts';
import type { ServiceConfig } from './config/config.ts';
import { copyStores, type CopyStores } from './copies/store/stores.ts';
import { replicasStore, type ReplicasStore } from './database/cluster/replicas-store.ts';
import { DiskSpaceMonitor } from './database/disk-space.ts';
import type { Database } from './database/port/database.ts';
import type { PurgeStore } from './database/purge.ts';
import { RetentionClock } from './database/retention-clock.ts';
import { settingsStore } from './database/settings-store.ts';
import type { StoreContext } from './database/store-context.ts';
import type { WriteRetries } from './database/sqlite/write-lock.ts';
import { diagnosticsStore, type DiagnosticsStore } from './diagnostics/diagnostics-store.ts';
import { sourceMapReader, type SourceMapReader } from './errors/source-maps/source-map-thread.ts';
import { errorStores, type ErrorStores } from './errors/store/stores.ts';
import { fetchStores, type FetchStores } from './fetching/store/stores.ts';
import { fleetStores, type FleetStores } from './fleet/store/stores.ts';
import {
  countAudit,
  countDroppedEvents,
  countEvents,
  countSignInFailures,
  countTokens,
  countTransfers,
} from './instrumentation/count-stores.ts';
import type { ServiceContext } from './http/service-context.ts';
import { storedNumbersStore, type StoredNumbersStore } from './database/stored-numbers-store.ts';
import { jobStores, type JobStores } from './jobs/stores.ts';
import { EndCheck } from './maintenance/end-check.ts';
import { measurementStores, type MeasurementStores } from './measurements/store/stores.ts';
import { removedStores, type RemovedStores } from './measurements/removed/store/stores.ts';
import { Counters } from './metrics/counters.ts';
import { idTokenKey, signingKey, type SigningKey } from './secrets/signing-key.ts';
import { notificationStores, type NotificationStores } from './notifications/store/stores.ts';
import { oauthStores, type OAuthStores } from './oauth/store/stores.ts';
import type { ObjectStorage } from './object-storage/object-storage.ts';
import { countStorage } from './instrumentation/count-storage.ts';
import { S3Storage } from './object-storage/s3-storage.ts';
import { outgoingHosts, type OutgoingHosts } from './outgoing/outgoing-hosts.ts';
import type { OwnErrors } from './own-errors/own-errors.ts';
import { projectStores, type ProjectStores } from './projects/stores.ts';
import { passwords } from './secrets/passwords.ts';
import type { PowerEvent } from './process/host-protocol.ts';
import { receiptKey } from './receipts/receipt.ts';
import { receiptStores, type ReceiptStores } from './receipts/stores.ts';
import { secretBox, type SecretBox } from './secrets/secret-box.ts';
import { secretKeyOf } from './secrets/secret-key.ts';
import { ReportRefusals } from './servers/report-refusals.ts';
import { serverStores, type ServerStores } from './servers/stores.ts';
import { shortLivedStores, type ShortLivedStores } from './short-lived/stores.ts';
import { timelineStores, type TimelineStores } from './timeline/store/stores.ts';
import { tokenStores, type TokenStores } from './tokens/stores.ts';
import { transferStores, type TransferStores } from './transfers/stores.ts';

/**
 * The stores of all modules. An operation names the stores of the modules that it uses, never all.
 */
type Stores = AccountStores &
  AuditStores &
  CaptureStores &
  CopyStores &
  ErrorStores &
  FetchStores &
  FleetStores &
  JobStores &
  MeasurementStores &
  NotificationStores &
  OAuthStores &
  ProjectStores &
  ReceiptStores &
  RemovedStores &
  ServerStores &
  ShortLivedStores &
  TimelineStores &
  TokenStores &
  TransferStores;

/** The dependencies of all operations; the command line creates them without a server. */
export interface Services extends Stores, Omit<ServiceContext, 'auth' | 'baseUrl'> {
  readonly config: ServiceConfig;
  readonly paths: DataPaths;
  /** Where archives of measurements are kept; null where they lie in folders alone. */
  readonly objectStorage: ObjectStorage | null;
  readonly counters: Counters;
  readonly storedNumbers: StoredNumbersStore;
  readonly replicas: ReplicasStore;
  readonly diagnostics: DiagnosticsStore;
  /** Where requests that users cause may go. */
  readonly outgoing: OutgoingHosts;
  /** Benchport's own errors; recorded only while the service runs. */
  readonly ownErrors: OwnErrors;
  readonly endCheck: EndCheck;
  /** Whether the computer goes to sleep or woke up, as far as the window knows. */
  readonly power: Subscribers<PowerEvent>;
  readonly reportRefusals: ReportRefusals;
  readonly database: Database;
  readonly writeLock: WriteRetries;
  /** The key that signs id_tokens. */
  readonly signingKey: () => Promise<SigningKey>;
  /** The key that signs receipts. */
  readonly receiptKey: () => Promise<SigningKey>;
  readonly sourceMapReader: SourceMapReader;
  /** The time by which rows are removed for their age. */
  readonly retentionClock: RetentionClock;
  /** Removes the entries of the audit trail that exceed its maximum age or number. */
  readonly auditRetention: PurgeStore;
  /** The subjects of the audit trail that still exist. */
  readonly auditSubjects: AuditSubjectsStore;
}

/** Wires the stores of one open database. */
export async function createServices(
  config: ServiceConfig,
  context: StoreContext,
  log: Logger,
  ownErrors: OwnErrors,
): Promise<Services> {
  const { database, changes, cluster, writeLock, retried, background } = context;
  const events = new Events();
  const counters = new Counters();
  const secrets = secretBox(secretKeyOf(config));
  const settings = retried(settingsStore(database));
  const errors = errorStores(context);
  return {
    ...(await countedStores(
      context,
      counters,
      errors,
      secrets,
      throttle(1000, () => events.emit('changed', { topic: 'audit' })),
    )),
    config,
    paths: dataPaths(config.dataDir, config.libraryDir),
    objectStorage: config.objectStorage ? countStorage(new S3Storage(config.objectStorage), counters) : null,
    log,
    events,
    counters,
    storedNumbers: storedNumbersStore(database),
    replicas: replicasStore(database),
    diagnostics: diagnosticsStore(database),
    outgoing: outgoingHosts(settings),
    ownErrors,
    changes,
    cluster,
    diskSpace: new DiskSpaceMonitor({ folder: dataDisk(config), retention: errors.retention, events, log }),
    endCheck: new EndCheck({ config, events, log }),
    power: new Subscribers(),
    reportRefusals: new ReportRefusals(),
    database,
    writeLock,
    secrets,
    settings,
    passwords: passwords(),
    signingKey: signingKey({ settings, secrets, log }, idTokenKey),
    receiptKey: signingKey({ settings, secrets, log }, receiptKey),
    sourceMapReader: sourceMapReader(),
    retentionClock: new RetentionClock({ settings, log }),
    auditRetention: await auditRetention({ store: background(auditRetentionStore(database)), settings, log }),
    auditSubjects: auditSubjectsStore(database),
  };
}

/** A folder on the disk that the data grows on, as far as it is this machine's. */
function dataDisk({ libraryDir, dataDir }: ServiceConfig): string {
  return libraryDir ?? dataDir;
}

/** The stores of all modules, wrapped where the metrics count their calls. */
async function countedStores(
  context: StoreContext,
  counters: Counters,
  errors: ErrorStores,
  secrets: SecretBox,
  announceAudit: () => void,
): Promise<Stores> {
  const accounts = accountStores(context);
  const audit = auditStores(context, announceAudit);
  const transfers = await transferStores(context);
  return {
    ...accounts,
    ...audit,
    ...errors,
    ...captureStores(context),
    ...copyStores(context),
    ...fetchStores(context),
    ...fleetStores(context),
    ...jobStores(context),
    ...measurementStores(context),
    ...notificationStores(context),
    ...oauthStores(context, (store) => countTokens(store, counters)),
    ...projectStores(context),
    ...receiptStores(context),
    ...removedStores(context),
    ...serverStores(context, secrets),
    ...shortLivedStores(context),
    ...timelineStores(context),
    ...tokenStores(context),
    ...transfers,
    signInFailures: countSignInFailures(accounts.signInFailures, counters),
    audit: countAudit(audit.audit, counters),
    errorEvents: countEvents(errors.errorEvents, counters),
    ingestCounts: countDroppedEvents(errors.ingestCounts, counters),
    transfers: countTransfers(transfers.transfers, counters),
  };
}
