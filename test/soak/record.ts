import { Broken } from './ask.ts';
import type { Interval, ServiceProcess } from './service-process.ts';

/** A request or a check with a wrong result. */
export interface Trouble {
  readonly what: string;
  readonly detail: string;
}

/** The service checks for free space every five seconds, on a busy machine a little later. */
const seesRoomAfter = 8000;

/** Actions, their failures with reasons, and the checked promises. */
export class SoakRecord {
  readonly #services: readonly ServiceProcess[];
  readonly done = new Map<string, number>();
  readonly troubles: Trouble[] = [];
  readonly promises = new Map<string, { kept: number; broken: number }>();
  /** Periods in which the disk of the first service was full. */
  readonly pressures: Interval[] = [];
  interrupted = 0;

  constructor(services: readonly ServiceProcess[]) {
    this.#services = services;
  }

  count(what: string, by = 1): void {
    this.done.set(what, (this.done.get(what) ?? 0) + by);
  }

  trouble(what: string, detail: string): void {
    this.troubles.push({ what, detail });
  }

  /** Records that a promise was checked. */
  promise(which: string, kept: boolean, detail: string): void {
    const known = this.promises.get(which) ?? { kept: 0, broken: 0 };
    this.promises.set(which, known);
    known[kept ? 'kept' : 'broken'] += 1;
    if (!kept) this.trouble(`promise: ${which}`, detail);
  }

  /**
   * Runs one action; a failure because the service was killed meanwhile is ignored. @returns null
   * then.
   */
  async attempt<T>(what: string, act: () => Promise<T>): Promise<T | null> {
    const from = performance.now();
    try {
      const result = await act();
      this.count(what);
      return result;
    } catch (error) {
      if (isNetwork(error) && this.wasAway(from)) this.interrupted += 1;
      else if (!(error instanceof Disturbed))
        this.trouble(what, error instanceof Error ? `${error.message}${cause(error)}` : String(error));
      return null;
    }
  }

  /**
   * Whether a service was away since then; one that has just restarted may still close older
   * connections.
   */
  wasAway(from: number): boolean {
    return this.#services.some(({ outages }) => outages.some((outage) => outage.to + 1000 >= from));
  }

  /** Whether the disk was full since then, as far as the service could know. */
  wasFull(from: number): boolean {
    return this.pressures.some((pressure) => pressure.to + seesRoomAfter >= from);
  }

  /**
   * Fails unless a response has one of the statuses; a full disk may also refuse with an
   * explanation. @throws Disturbed where the disk was full.
   */
  expect(
    reply: { readonly status: number; readonly body: Buffer },
    since: number,
    ...statuses: readonly number[]
  ): void {
    if (statuses.includes(reply.status)) return;
    if ((reply.status === 507 || reply.status === 503) && this.wasFull(since)) throw new Disturbed();
    throw new Error(
      `was answered with ${reply.status} instead of ${statuses.join(' or ')}: ${reply.body.toString().slice(0, 300)}`,
    );
  }
}

/** Whether the response is the expected refusal of a full disk. */
class Disturbed extends Error {}

function isNetwork(error: unknown): boolean {
  return (
    error instanceof Broken ||
    (error instanceof TypeError && error.message === 'fetch failed') ||
    (error instanceof TypeError && error.message === 'terminated')
  );
}

function cause(error: Error): string {
  return error.cause instanceof Error ? ` (${error.cause.message})` : '';
}
