import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { countOf } from '../../service/common/count-of.ts';
import { checkIntegrity } from '../../service/database/integrity.ts';
import { absolutePathOf } from '../../service/measurements/storage/file-storage.ts';
import { manifestFile } from '../../service/measurements/catalogue/manifest.ts';
import type { MeasurementRow } from '../../service/measurements/store/measurements-store.ts';
import { everyMeasurement } from '../support/every-measurement.ts';
import type { Finding } from '../../service/diagnostics/check-machine.ts';
import type { Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';
import type { AccountStores } from '../../service/accounts/store/stores.ts';
import type { TokenStores } from '../../service/tokens/stores.ts';
import type { DataPaths } from '../../service/common/data-paths.ts';
import type { ObjectStorage } from '../../service/object-storage/object-storage.ts';
import type { MeasurementStores } from '../../service/measurements/store/stores.ts';

const pageSize = 500;
const minute = 60_000;

/**
 * Checks the data directory: database integrity, files of the library, manifests, and that the
 * clock is not behind stored entries.
 */
export async function checkStored(dataDir: string, terminal: Terminal): Promise<readonly Finding[]> {
  if (!existsSync(path.join(dataDir, 'benchport.db')))
    return [{ check: 'database', ok: true, detail: 'there is none yet; the first start creates it' }];
  try {
    const damage = checkIntegrity(dataDir);
    if (damage !== null)
      return [{ check: 'database', ok: false, detail: `damaged (${damage}); stop the service and restore a backup` }];
    return await withServices(terminal, { data: dataDir }, async (services) => [
      { check: 'database', ok: true, detail: 'whole' },
      ...(await checkMeasurements(services)),
      await checkClock(services),
    ]);
  } catch (error) {
    return [{ check: 'database', ok: false, detail: error instanceof Error ? error.message : String(error) }];
  }
}

async function checkMeasurements(
  services: Pick<MeasurementStores, 'measurements' | 'files'> & {
    readonly paths: DataPaths;
    readonly objectStorage: ObjectStorage | null;
  },
): Promise<readonly Finding[]> {
  const missing: string[] = [];
  let unfrozen = 0;
  let count = 0;
  let objects = 0;
  for await (const measurement of everyMeasurement(services)) {
    count += 1;
    // A base URL with a path gives the manifest another name, and it is made at the first request;
    // only the default one is checked.
    if (!existsSync(manifestFile(services, measurement, ''))) unfrozen += 1;
    if (measurement.object_key !== null) {
      objects += measurement.file_count;
      if (!(await isStored(services, measurement))) missing.push(`${measurement.id} (in the object storage)`);
    } else if (measurement.storage === 'library') objects += await lookForObjects(services, measurement, missing);
  }
  return [
    libraryFinding(missing, objects),
    // A missing manifest is never a failure: it is rebuilt from the database.
    {
      check: 'manifests',
      ok: true,
      detail: `${count - unfrozen} of ${count} are on disk; the others are made again at the next request`,
    },
  ];
}

async function isStored(
  { objectStorage }: { readonly objectStorage: ObjectStorage | null },
  { object_key: key, archive_bytes: length }: MeasurementRow,
): Promise<boolean> {
  if (key === null) return true;
  const found = await objectStorage?.lengthOf(key, new AbortController().signal).catch(() => null);
  return found === length;
}

async function lookForObjects(
  services: Pick<MeasurementStores, 'files'> & { readonly paths: DataPaths },
  measurement: MeasurementRow,
  missing: string[],
): Promise<number> {
  let seen = 0;
  for (let index = 0; ;) {
    const rows = await services.files.from(measurement.id, index, pageSize);
    const last = rows.at(-1);
    if (!last) return seen;
    for (const row of rows) {
      seen += 1;
      const found = await stat(absolutePathOf(services.paths, measurement, row)).catch(() => null);
      if (found?.size !== row.length) missing.push(`${measurement.id}/${row.path}`);
    }
    index = last.idx + 1;
  }
}

async function checkClock(services: Pick<AccountStores, 'users'> & TokenStores): Promise<Finding> {
  const now = Date.now();
  const newest = Math.max(
    0,
    ...(await services.users.all()).map((user) => user.created_at),
    ...(await services.tokens.all()).map((token) => token.created_at),
  );
  const ok = now >= newest - minute && new Date(now).getUTCFullYear() >= 2025;
  const detail = new Date(now).toISOString();
  return {
    check: 'clock',
    ok,
    detail: ok ? detail : `${detail} is earlier than a stored entry; set the clock of this machine`,
  };
}

function libraryFinding(missing: readonly string[], objects: number): Finding {
  if (missing.length === 0) return { check: 'library', ok: true, detail: `${countOf(objects, 'file')}, all there` };
  const shown = missing.slice(0, 3).join(', ');
  const detail = `${countOf(missing.length, 'file')} ${missing.length === 1 ? 'is' : 'are'} missing or cut short (${shown}${missing.length > 3 ? ', ...' : ''}); restore them from a backup of the library`;
  return { check: 'library', ok: false, detail };
}
