import { accessSync, constants } from 'node:fs';
import { StartError } from './common/start-error.ts';
import type { MeasurementStores } from './measurements/store/stores.ts';
import { hasLibrary } from './measurements/storage/shared-library.ts';
import { storageSetting } from './measurements/objects/storage-setting.ts';
import type { ObjectStorage } from './object-storage/object-storage.ts';
import type { ServiceConfig } from './config/config.ts';
import type { Cluster } from './database/cluster/cluster.ts';
import type { SettingsStore } from './database/settings-store.ts';
import type { SecretBox } from './secrets/secret-box.ts';

/** The setting by which replicas notice that one has another key. */
export const keySetting = 'secret_key_digest';
const urlSetting = 'base_url';

export interface FacilityCheckDeps {
  readonly config: ServiceConfig;
  readonly cluster: Cluster;
  readonly settings: SettingsStore;
  readonly secrets: SecretBox;
  readonly objectStorage: ObjectStorage | null;
  readonly measurements: Pick<MeasurementStores['measurements'], 'inLibrary'>;
}

/**
 * Compares what all replicas of a database must have alike, before this one serves anybody.
 *
 * @throws StartError `data-unusable` that names what differs.
 */
export async function checkFacility(deps: FacilityCheckDeps): Promise<void> {
  const { settings, secrets } = deps;
  await checkLibrary(deps);
  const digest = keyDigest(secrets);
  const known = await settings.addIfAbsent(keySetting, digest);
  if (known !== digest)
    throw new StartError(
      'data-unusable',
      'The secret key is not the one that this database was used with. Give this replica the file that the others have (BENCHPORT_SECRET_KEY_FILE).',
    );
  await checkBaseUrl(deps);
  await checkStorage(deps);
}

/** The value of that setting. */
export function keyDigest(secrets: SecretBox): string {
  return secrets.mac('secret-key', 'check').toString('hex');
}

async function checkLibrary({ config, measurements }: FacilityCheckDeps): Promise<void> {
  const folder = config.libraryDir;
  if (!hasLibrary(config)) {
    const id = await measurements.inLibrary();
    if (id === null) return;
    throw new StartError(
      'data-unusable',
      `The measurement ${id} lies in the library: name its folder with BENCHPORT_LIBRARY_DIR. "benchport library move" takes measurements into the object storage.`,
    );
  }
  if (folder === undefined) return;
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      'data-unusable',
      `The library folder ${folder} cannot be read and written. Mount it, or name another one with BENCHPORT_LIBRARY_DIR.`,
      { cause: error },
    );
  }
}

async function checkBaseUrl({ config, cluster, settings }: FacilityCheckDeps): Promise<void> {
  if (config.baseUrl === null) return;
  const stored = await settings.addIfAbsent(urlSetting, config.baseUrl);
  if (stored === config.baseUrl || cluster.live() <= 1) return;
  throw new StartError(
    'data-unusable',
    `The base URL ${config.baseUrl} differs from that of the replicas that run now (${stored}). All must have the same; stop the others first to change it.`,
  );
}

/** A replica elsewhere would store what the others do not find. */
async function checkStorage({ objectStorage, cluster, settings }: FacilityCheckDeps): Promise<void> {
  const stored = await settings.get(storageSetting);
  const place = objectStorage?.place ?? null;
  if (stored === null || stored === place || cluster.live() <= 1) return;
  throw new StartError(
    'data-unusable',
    `The object storage ${place ?? '(none)'} is not that of the replicas that run now (${stored}). All must have the same; stop the others first to change it.`,
  );
}
