import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { activeJobStates } from '../../../src-shared/states/job-states.ts';
import { readLastBackup } from '../backup/backup-notes.ts';
import { benchStates } from '../../../src-shared/states/bench-states.ts';
import type { BenchListStore } from '../fleet/store/bench-list-store.ts';
import { FetchState } from '../contract/fetches.ts';
import { JobKind } from '../contract/jobs.ts';
import { byLabel, single, type Family } from '../metrics/metric-text.ts';
import type { StateNumbers, StoredNumbersStore } from '../database/stored-numbers-store.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { SettingsStore } from '../database/settings-store.ts';

const cacheForMs = 60_000;

type Deps = {
  readonly config: ServiceConfig;
  readonly storedNumbers: StoredNumbersStore;
  readonly benchList: Pick<BenchListStore, 'byState'>;
  readonly settings: SettingsStore;
};

/**
 * Metrics about the contents of the data directory. Row counts are cached for a minute, because
 * counting may take a while.
 */
export function storedFamilies(deps: Deps): () => Promise<readonly Family[]> {
  let rows: { readonly at: number; readonly family: Family } | null = null;
  return async () => {
    if (!rows || Date.now() - rows.at > cacheForMs) {
      const name = 'benchport_database_rows';
      rows = {
        at: Date.now(),
        family: byLabel(
          name,
          'gauge',
          'Rows of the database by table, at most a minute old.',
          'table',
          await deps.storedNumbers.rows(),
        ),
      };
    }
    return [
      ...(await stateFamilies(deps)),
      await benchFamily(deps),
      rows.family,
      ...(await fileFamilies(deps)),
      ...(await diskFamilies(deps)),
      ...(await backupFamilies(deps)),
    ];
  };
}

async function stateFamilies({ storedNumbers }: Deps): Promise<readonly Family[]> {
  const [measurements, fetches, jobs] = [
    await storedNumbers.measurements(),
    await storedNumbers.fetches(),
    await storedNumbers.jobs(),
  ];
  const stored = (name: string, help: string, value: (one: (typeof measurements)[number]) => number): Family => ({
    name,
    type: 'gauge',
    help,
    samples: measurements.map((one) => ({ labels: { storage: one.storage, state: one.state }, value: value(one) })),
  });
  return [
    stored('benchport_measurements', 'Measurements, by where their files are and their state.', ({ count }) => count),
    stored('benchport_measurement_files', 'Files of measurements.', ({ files }) => files),
    stored(
      'benchport_measurement_stored_bytes',
      'Bytes of the files of measurements, equal ones counted each time.',
      ({ bytes }) => bytes,
    ),
    byLabel(
      'benchport_fetches',
      'gauge',
      'Fetches from other servers by state.',
      'state',
      FetchState.enum.map((state) => [state, inState(fetches, state)]),
    ),
    {
      name: 'benchport_jobs',
      type: 'gauge',
      help: 'Jobs that have not ended, by kind and state.',
      samples: JobKind.enum.flatMap((kind) =>
        activeJobStates.map((state) => ({
          labels: { kind, state },
          value: inState(
            jobs.filter((one) => one.kind === kind),
            state,
          ),
        })),
      ),
    },
  ];
}

async function benchFamily({ benchList }: Deps): Promise<Family> {
  const counts = new Map(await benchList.byState());
  return byLabel(
    'benchport_benches',
    'gauge',
    'Benches that report to this server, by state.',
    'state',
    benchStates.map((state) => [state, counts.get(state) ?? 0]),
  );
}

function inState(numbers: readonly StateNumbers[], state: string): number {
  return numbers.find((one) => one.state === state)?.count ?? 0;
}

async function fileFamilies({ storedNumbers, config }: Deps): Promise<readonly Family[]> {
  const bytes = async (name: string) => (await stat(path.join(config.dataDir, name)).catch(() => null))?.size ?? 0;
  const { version, freeBytes, serverBytes } = await storedNumbers.file();
  const lengths: readonly (readonly [string, number])[] =
    serverBytes === null
      ? [
          ['database', await bytes('benchport.db')],
          ['wal', await bytes('benchport.db-wal')],
        ]
      : [['database', serverBytes]];
  return [
    byLabel('benchport_database_size_bytes', 'gauge', 'Length of the files of the database.', 'file', lengths),
    single('benchport_database_free_bytes', 'gauge', 'Bytes of the database that are free for new rows.', freeBytes),
    single('benchport_database_version', 'gauge', 'Version of the tables.', version),
  ];
}

async function diskFamilies({ config }: Deps): Promise<readonly Family[]> {
  const disk = await statfs(config.dataDir).catch(() => null);
  if (!disk) return [];
  return [
    single(
      'benchport_disk_free_bytes',
      'gauge',
      'Free bytes on the disk of the data directory.',
      disk.bavail * disk.bsize,
    ),
    single('benchport_disk_size_bytes', 'gauge', 'Size of the disk of the data directory.', disk.blocks * disk.bsize),
  ];
}

async function backupFamilies({ settings }: Deps): Promise<readonly Family[]> {
  const last = await readLastBackup(settings);
  const help = 'When the last backup was finished, seconds since 1970.';
  return last
    ? [single('benchport_last_backup_timestamp_seconds', 'gauge', help, Date.parse(last.made_at) / 1000)]
    : [];
}
