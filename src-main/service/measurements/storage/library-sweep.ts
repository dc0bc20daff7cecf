import { rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DataPaths } from '../../common/data-paths.ts';
import type { MeasurementStores } from '../store/stores.ts';

const batchSize = 200;

/**
 * Removes library objects that no measurement refers to, left by registrations that ended after
 * copying and before writing their rows. A concurrent registration notices a missing object before
 * it completes, and copies it again.
 */
export async function sweepLibrary(
  services: Pick<MeasurementStores, 'registrations'> & { readonly paths: DataPaths },
  signal?: AbortSignal,
): Promise<void> {
  const { library } = services.paths;
  for (const shard of await names(path.join(library, 'objects'))) {
    const objects = (await names(path.join(library, 'objects', shard))).map((name) => `objects/${shard}/${name}`);
    for (let at = 0; at < objects.length; at += batchSize) {
      if (signal?.aborted) return;
      await services.registrations.removeUnused(objects.slice(at, at + batchSize), (location) =>
        rmSync(path.join(library, location), { force: true }),
      );
      await new Promise(setImmediate);
    }
  }
}

/** Removes partial copies of processes that have exited; their names begin with the process id. */
export async function removeIncoming(services: { readonly paths: DataPaths }): Promise<void> {
  const incoming = path.join(services.paths.library, 'incoming');
  for (const name of await names(incoming)) {
    if (isOrphaned(Number(name.split('-')[0]))) await rm(path.join(incoming, name), { force: true });
  }
}

/**
 * Removes partial manifests of processes that have exited; the process id precedes the suffix of
 * their names.
 */
export async function removeHalfManifests(services: { readonly paths: DataPaths }): Promise<void> {
  const { manifests } = services.paths;
  for (const name of await names(manifests)) {
    if (name.endsWith('.partial') && isOrphaned(Number(/\.(\d+)-[0-9a-f]+\.partial$/.exec(name)?.[1])))
      await rm(path.join(manifests, name), { force: true });
  }
}

/** At start, a file with our own process id belongs to an earlier process with that id. */
function isOrphaned(pid: number): boolean {
  return pid === process.pid || !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function names(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
