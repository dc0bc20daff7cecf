import type { Logger } from 'pino';
import type { Clock } from '../../fetching/queue/clock.ts';
import { uploadRequests } from '../../upload-client/upload-requests.ts';
import { checkEveryMs, type CopyRow } from '../store/copy-row.ts';
import { challengeCopy, CopyUnverified } from './verify-copy.ts';
import { endOf, openCopy, type RunDeps } from './run-copy.ts';

const dayMs = 86_400_000;
const jitterMs = 3 * dayMs;
const retryCheckMs = 6 * 3_600_000;
const timeoutMs = 120_000;

/** A month later, spread so that copies of one day are not all checked at once. @param random from 0 to 1. */
export function nextCheckAt(now: number, random: number): number {
  return Math.round(now + checkEveryMs + (random * 2 - 1) * jitterMs);
}

type Deps = RunDeps & { readonly clock: Clock; readonly log: Logger; readonly random: () => number };

/** Has servers show that they still have the bytes of their copies, one after the other. */
export class CopyChecks {
  readonly #deps: Deps;
  readonly #onChange: (measurementId: string | null) => void;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;

  /** @param onChange is called after a check, with the measurement if its number of verified copies changed. */
  constructor(deps: Deps, onChange: (measurementId: string | null) => void) {
    [this.#deps, this.#onChange] = [deps, onChange];
  }

  /** Begins the next check that is due, unless one is running. */
  next(): void {
    if (this.#running !== null || this.#stop.signal.aborted) return;
    this.#running = this.#checkAll()
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'copies could not be checked'))
      .finally(() => {
        this.#running = null;
      });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #checkAll(): Promise<void> {
    const { copies, clock } = this.#deps;
    for (;;) {
      const [row] = this.#stop.signal.aborted ? [] : await copies.toCheck(clock.now(), 1);
      if (!row) return;
      this.#onChange((await this.#check(row)) ? row.measurement_id : null);
    }
  }

  /** @returns whether the copy no longer counts as verified. */
  async #check(row: CopyRow): Promise<boolean> {
    const { copies, clock, random, log } = this.#deps;
    try {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timeoutMs)]);
      const { access, measurement, archive } = await openCopy(this.#deps, row, signal);
      const send = uploadRequests(access.token, access.certificate);
      await challengeCopy({ send, baseUrl: access.baseUrl, signal }, measurement, archive);
      await copies.checked(row.id, clock.now(), nextCheckAt(clock.now(), random()));
    } catch (error) {
      if (this.#stop.signal.aborted) return false;
      if (error instanceof CopyUnverified) return this.#unverified(row, error);
      log.warn({ err: error, copy: row.id }, 'a copy could not be checked');
      const later = clock.now() + retryCheckMs;
      await copies.checkAgainAt(row.id, later);
      if (isOfServer(error)) await copies.postponeChecks(row.base_url, later);
    }
    return false;
  }

  async #unverified(row: CopyRow, { reason, message }: CopyUnverified): Promise<boolean> {
    const { audit, copies, clock, log } = this.#deps;
    // Nothing is left here that it could be compared with, or nobody who could be asked.
    if (reason === 'measurement-removed' || reason === 'server-removed') {
      await copies.checkAgainAt(row.id, null);
      return false;
    }
    log.error({ copy: row.id, measurement: row.measurement_id, reason }, 'a copy is not what was sent');
    await audit.record({
      userId: null,
      address: null,
      action: 'measurement.copy-lost',
      subject: `measurement:${row.measurement_id}`,
      detail: message,
    });
    return copies.apply(row.id, 'doubt', { reason, message }, clock.now());
  }
}

/** Whether other checks at the same server would fail alike. */
function isOfServer(error: unknown): boolean {
  try {
    return endOf(error).reason !== 'not-intact';
  } catch {
    return false;
  }
}
