import { putWithin } from '../put-within.ts';
import { Cohorts } from './cohorts.ts';
import { IngestFailure } from './ingest-failure.ts';

export interface IngestLimitSettings {
  /** Requests of one key: at once after a rest, and each second for ever. */
  readonly keyBurst: number;
  readonly keyPerSecond: number;
  /** The same for the whole installation. */
  readonly burst: number;
  readonly perSecond: number;
  /** Bytes of events of one key, before they are compressed: at once after a rest, and each second for ever. */
  readonly keyBytesBurst: number;
  readonly keyBytesPerSecond: number;
  /** Requests that are being worked on, and bytes of them in memory. */
  readonly waiting: number;
  readonly waitingBytes: number;
}

export const defaultIngestLimits: IngestLimitSettings = {
  keyBurst: 5000,
  keyPerSecond: 50,
  burst: 20_000,
  perSecond: 200,
  keyBytesBurst: 256 * 1024 * 1024,
  keyBytesPerSecond: 256 * 1024,
  waiting: 1000,
  waitingBytes: 64 * 1024 * 1024,
};

// A sender that comes back with the very next token would be refused again at once.
const restFraction = 0.1;
const longestWait = 60;
const busyWait = 2;
// Of what is worked on, for senders who have not said yet who they are: a body that never ends would otherwise keep everybody out, and cost nobody a key.
const shareOfUnknown = 1 / 4;
const mostKeys = 10_000;

/** Counts what is in memory for one request. */
export interface IngestSlot {
  hold(bytes: number): void;
  /** @returns when a request of so many bytes goes on, beside others. */
  join(bytes: number): Promise<void>;
  /** What to do when the request has ended. */
  after(work: () => void): void;
  release(): void;
}

/** What is held of a part of what may be. */
interface Share {
  readonly part: number;
  waiting: number;
  bytes: number;
}

/** How much is taken. Every refusal is a 429 with Retry-After alone: SDKs obey it, all of them, and do not obey a 503. */
export class IngestLimits {
  readonly #settings: IngestLimitSettings;
  readonly #now: () => number;
  readonly #keys = new Map<number, { readonly requests: Bucket; readonly bytes: Bucket }>();
  readonly #all: Bucket;
  readonly #cohorts = new Cohorts();
  readonly #ofKnown: readonly Share[] = [{ part: 1, waiting: 0, bytes: 0 }];
  readonly #ofUnknown: readonly Share[] = [...this.#ofKnown, { part: shareOfUnknown, waiting: 0, bytes: 0 }];

  constructor(settings: IngestLimitSettings, now: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#now = now;
    this.#all = new Bucket(settings.burst, settings.perSecond, now());
  }

  /** @throws IngestFailure 429 when the key or the installation has had its share. */
  take(keyId: number): void {
    const now = this.#now();
    const { requests, bytes } = this.#ofKey(keyId, now);
    const wait = Math.max(requests.wait(now), bytes.wait(now), this.#all.wait(now));
    if (wait > 0) throw new IngestFailure(429, 'Too many events. Later ones will be taken again.', { drop: 'rate-limit', retryAfter: wait });
    requests.take(1);
    this.#all.take(1);
  }

  /** Notes what an event of a key takes; a key that has had its share is refused from its next request on. */
  spend(keyId: number, bytes: number): void {
    this.#ofKey(keyId, this.#now()).bytes.take(bytes);
  }

  #ofKey(keyId: number, now: number): { readonly requests: Bucket; readonly bytes: Bucket } {
    const known = this.#keys.get(keyId);
    if (known) return known;
    const { keyBurst, keyPerSecond, keyBytesBurst, keyBytesPerSecond } = this.#settings;
    const made = { requests: new Bucket(keyBurst, keyPerSecond, now), bytes: new Bucket(keyBytesBurst, keyBytesPerSecond, now) };
    putWithin(this.#keys, mostKeys, keyId, made);
    return made;
  }

  /**
   * @param known whether the sender has named a client key that holds.
   * @throws IngestFailure 429 when too much is being worked on.
   */
  begin(known: boolean): IngestSlot {
    const shares = known ? this.#ofKnown : this.#ofUnknown;
    const { waiting, waitingBytes } = this.#settings;
    if (shares.some((share) => share.waiting >= waiting * share.part || share.bytes >= waitingBytes * share.part)) throw busy();
    for (const share of shares) share.waiting += 1;
    let own = 0;
    const after: (() => void)[] = [];
    return {
      hold: (bytes) => {
        own += bytes;
        for (const share of shares) share.bytes += bytes;
        if (shares.some((share) => share.bytes > waitingBytes * share.part)) throw busy();
      },
      join: async (bytes) => this.#cohorts.join(bytes),
      after: (work) => void after.push(work),
      release: () => {
        for (const work of after) work();
        for (const share of shares) {
          share.waiting -= 1;
          share.bytes -= own;
        }
      },
    };
  }
}

function busy(): IngestFailure {
  return new IngestFailure(429, 'More events are waiting than can be taken.', { drop: 'busy', retryAfter: busyWait });
}

/** Fills by and by; empties with each request. */
class Bucket {
  readonly #size: number;
  readonly #perSecond: number;
  #tokens: number;
  #at: number;
  #resting = false;

  constructor(size: number, perSecond: number, now: number) {
    this.#size = size;
    this.#perSecond = perSecond;
    this.#tokens = size;
    this.#at = now;
  }

  /** Whole seconds until it gives again; 0 now. */
  wait(now: number): number {
    this.#tokens = Math.min(this.#size, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    const needed = this.#resting ? Math.max(1, this.#size * restFraction) : 1;
    this.#resting = this.#tokens < needed;
    return this.#resting ? Math.min(longestWait, Math.max(1, Math.ceil((Math.max(1, this.#size * restFraction) - this.#tokens) / this.#perSecond))) : 0;
  }

  take(amount: number): void {
    this.#tokens -= amount;
  }
}
