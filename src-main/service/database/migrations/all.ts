import { initial } from './early/0001-initial.ts';
import { signInForSoftware } from './early/0002-sign-in-for-software.ts';
import { errors } from './early/0003-errors.ts';
import { fetching } from './early/0004-fetching.ts';
import { backups } from './early/0005-backups.ts';
import { errorSamples } from './early/0006-error-samples.ts';
import { signInPlaces } from './early/0007-sign-in-places.ts';
import { artifactUploads } from './early/0008-artifact-uploads.ts';
import { measurementAccess } from './early/0009-measurement-access.ts';
import { fileBlocks } from './early/0010-file-blocks.ts';
import { downloads } from './early/0011-downloads.ts';
import { eventBytes } from './early/0012-event-bytes.ts';
import { leftOut } from './early/0013-left-out.ts';
import { fileOrders } from './early/0015-file-orders.ts';
import { listOrders } from './early/0014-list-orders.ts';
import { fetchesLeft } from './early/0016-fetches-left.ts';
import { tokenOrders } from './early/0017-token-orders.ts';
import { lettersOfLists } from './early/0018-letters-of-lists.ts';
import { replicas } from './0019-replicas.ts';
import { shortLived } from './0020-short-lived.ts';
import { workOfReplicas } from './0021-work-of-replicas.ts';
import { blockChecksums } from './0022-block-checksums.ts';
import { leasesOfCommands } from './0023-leases-of-commands.ts';
import { endedReplicas } from './0024-ended-replicas.ts';
import { uploads } from './0025-uploads.ts';
import { storedObjects } from './0026-stored-objects.ts';
import { uploadManifests } from './0027-upload-manifests.ts';
import { copies } from './0028-copies.ts';
import { capture } from './0029-capture.ts';
import { notifications } from './0030-notifications.ts';
import { happenings } from './0031-happenings.ts';
import { fleet } from './0032-fleet.ts';
import { runTimes } from './0033-run-times.ts';
import { pieces } from './0034-pieces.ts';
import { fileOrderTies } from './0035-file-order-ties.ts';
import { removedMeasurements } from './0036-removed-measurements.ts';
import { uploadParts } from './0037-upload-parts.ts';
import { unfinishedMeasurements } from './0038-unfinished-measurements.ts';
import { foundByIndex } from './0039-found-by-index.ts';
import type { Migration, SqliteMigration } from './early/migration.ts';

/** The migrations from before PostgreSQL. */
const early: readonly SqliteMigration[] = [
  initial,
  signInForSoftware,
  errors,
  fetching,
  backups,
  errorSamples,
  signInPlaces,
  artifactUploads,
  measurementAccess,
  fileBlocks,
  downloads,
  eventBytes,
  leftOut,
  listOrders,
  fileOrders,
  fetchesLeft,
  tokenOrders,
  lettersOfLists,
];

/** Migrations for both engines: the next is added here. */
export const sharedMigrations: readonly Migration[] = [
  replicas,
  shortLived,
  workOfReplicas,
  blockChecksums,
  leasesOfCommands,
  endedReplicas,
  uploads,
  storedObjects,
  uploadManifests,
  copies,
  capture,
  notifications,
  happenings,
  fleet,
  runTimes,
  pieces,
  fileOrderTies,
  removedMeasurements,
  uploadParts,
  unfinishedMeasurements,
  foundByIndex,
];

/** Every migration of SQLite in the order of its number. A landed one is never edited. */
export const migrations: readonly SqliteMigration[] = [...early, ...sharedMigrations];
