import type { EndCheckState, EndCheck } from '../maintenance/end-check.ts';
import { isLocked } from '../database/write-lock.ts';
import { freeBytes } from '../common/free-bytes.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ServiceContext } from '../http/service-context.ts';

export interface ReadinessChecks {
  /** "ok", or the problem. */
  readonly database: string;
  readonly disk: string;
  /** Whether the database is intact, as far as there was a reason to check. */
  readonly integrity: string;
}

// Unauthenticated, and each real check writes: a burst of requests gets one answer.
const cachedForMs = 2000;

type Deps = Pick<ServiceContext, 'diskSpace' | 'log' | 'settings'> & {
  readonly config: ServiceConfig;
  readonly endCheck: EndCheck;
};

/** Checks that the database accepts a write and that its disk has space. */
export function readinessCheck(services: Deps): () => Promise<ReadinessChecks> {
  let last: { readonly at: number; readonly checks: Promise<ReadinessChecks> } | null = null;
  return () => {
    const now = Date.now();
    if (!last || now - last.at >= cachedForMs) last = { at: now, checks: check(services) };
    return last.checks;
  };
}

const integrityWords: Readonly<Record<Exclude<EndCheckState, null>, string>> = {
  whole: 'ok',
  checking: 'ok: the service was not ended properly last time, and the database is being checked',
  unchecked:
    'ok: the service was not ended properly last time, and the database could not be checked. Run "benchport doctor".',
  damaged: 'The database is damaged. Restore a backup.',
};

async function check(services: Deps): Promise<ReadinessChecks> {
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
