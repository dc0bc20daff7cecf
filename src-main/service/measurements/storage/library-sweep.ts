import { rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Cluster } from '../../database/cluster/cluster.ts';
import type { ReplicasStore } from '../../database/cluster/replicas-store.ts';
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

/** How names of partial copies begin: with the replica, or the id of a process that has the library alone. */
export function incomingOwner(replicaId: number | null): string {
  return replicaId === null ? String(process.pid) : `r${replicaId}`;
}

/** Removes partial copies of processes that have exited and of replicas that are dead. */
export async function removeIncoming(services: {
  readonly paths: DataPaths;
  readonly cluster: Pick<Cluster, 'replica'>;
  readonly replicas: ReplicasStore;
}): Promise<void> {
  const incoming = path.join(services.paths.library, 'incoming');
  const found = await names(incoming);
  const isReplica = services.cluster.replica() !== null;
  // Read after the names, so that the replica of each is known.
  const live = new Set((isReplica ? await services.replicas.live() : []).map((id) => incomingOwner(id)));
  for (const name of found) {
    const owner = name.split('-')[0] ?? '';
    const file = path.join(incoming, name);
    const isLeft = isReplica
      ? !live.has(owner) && (owner.startsWith('r') || (await isOld(file)))
      : isOrphaned(Number(owner));
    if (isLeft) await rm(file, { force: true });
  }
}

/** Whether a copy by a command, which may run on another machine, was not written to for a day. */
async function isOld(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && Date.now() - Math.max(found.mtimeMs, found.ctimeMs) > 86_400_000;
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
