import { access, constants } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { EndCheckState, EndCheck } from '../maintenance/end-check.ts';
import { isLocked } from '../database/sqlite/write-lock.ts';
import { freeBytes } from '../common/free-bytes.ts';
import { maxClockMs } from '../database/cluster/cluster.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ServiceContext } from '../http/service-context.ts';

export interface ReadinessChecks {
  /** "ok", or the problem. */
  readonly database: string;
  readonly disk: string;
  /** Whether the database is intact, as far as there was a reason to check. */
  readonly integrity: string;
  /** Whether this process takes requests, or stops, or has a wrong clock; left out on one desk while it is ok. */
  readonly replica?: string;
}

// Unauthenticated, and each real check writes: a burst of requests gets one answer.
const cachedForMs = 2000;
const maxAccessAgeMs = 1500;
const libraryTimeoutMs = 2000;

type Deps = Pick<ServiceContext, 'cluster' | 'diskSpace' | 'log' | 'settings'> & {
  readonly draining: { readonly begun: boolean };
  readonly config: ServiceConfig;
  readonly endCheck: EndCheck;
};

/** Checks that the database accepts a write and that its disk has space. */
export function readinessCheck(services: Deps): () => Promise<ReadinessChecks> {
  let last: { readonly at: number; readonly checks: Promise<Omit<ReadinessChecks, 'replica'>> } | null = null;
  return async () => {
    const replica = replicaCheck(services);
    if (services.config.database) return facilityChecks(services, replica);
    const now = Date.now();
    if (!last || now - last.at >= cachedForMs) last = { at: now, checks: check(services) };
    return { ...(await last.checks), ...(replica === 'ok' ? {} : { replica }) };
  };
}

const integrityWords: Readonly<Record<Exclude<EndCheckState, null>, string>> = {
  whole: 'ok',
  checking: 'ok: the service was not ended properly last time, and the database is being checked',
  unchecked:
    'ok: the service was not ended properly last time, and the database could not be checked. Run "benchport doctor".',
  damaged: 'The database is damaged. Restore a backup.',
};

/** A replica must know of changes of access, and its times must agree with those of the others. */
function replicaCheck({ cluster, draining }: Deps): string {
  if (draining.begun) return 'It is stopping.';
  const ahead = cluster.clockAheadMs();
  if (Math.abs(ahead) <= maxClockMs) return 'ok';
  return `The clock of this machine is ${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's. Synchronise it, for example with NTP.`;
}

/** The lease is written each half second, so nothing is written for this. */
async function facilityChecks({ cluster, config }: Deps, replica: string): Promise<ReadinessChecks> {
  const fresh = cluster.accessAgeMs() < maxAccessAgeMs && cluster.replica() !== null;
  return {
    database: fresh ? 'ok' : 'The database does not answer, or cannot be written.',
    disk: await libraryCheck(config.libraryDir ?? config.dataDir),
    integrity: 'ok',
    replica,
  };
}

async function libraryCheck(folder: string): Promise<string> {
  const usable = access(folder, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  // A network file system that hangs gives no error.
  const timeout = new AbortController();
  const found = await Promise.race([
    usable,
    setTimeout(libraryTimeoutMs, false, { signal: timeout.signal }).catch(() => false),
  ]);
  timeout.abort();
  return found ? 'ok' : 'The folder of the library cannot be read and written. Check that it is mounted.';
}

async function check(services: Deps): Promise<Omit<ReadinessChecks, 'replica'>> {
  const database = services.settings.set('readiness_checked_at', new Date().toISOString()).then(
    () => 'ok',
    (error: unknown) => {
      if (isLocked(error)) return 'Another program keeps the database locked. Stop it, or wait for it.';
      services.log.error({ err: error }, 'the database cannot be written');
      return 'The database cannot be written. Check the permissions and the disk of the data directory.';
    },
  );
  const disk = freeBytes(services.config.dataDir).then(
    (free) =>
      free >= services.diskSpace.minFreeBytes
        ? 'ok'
        : `Only ${Math.floor(free / 1024 / 1024)} MiB is free on the disk of the data directory. Free at least ${Math.ceil(services.diskSpace.minFreeBytes / 1024 / 1024)} MiB.`,
    () => 'The data directory cannot be found. Check that its disk is mounted.',
  );
  return { database: await database, disk: await disk, integrity: integrityWords[services.endCheck.state ?? 'whole'] };
}
