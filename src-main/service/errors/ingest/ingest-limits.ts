import type { IngestLimitSettings } from '../../config/ingest-limit-settings.ts';
import { networkOf } from '../../http/network-of.ts';
import { putBounded } from '../../common/bounded-map.ts';
import { IngestFailure } from '../normalise/ingest-failure.ts';
import { maxEventBytes } from '../normalise/ingest-sizes.ts';
import { RestingBucket } from './resting-bucket.ts';

const busyRetrySeconds = 2;
// Share of the capacity for requests that are not authenticated yet, so that endless anonymous
// bodies cannot block known senders.
const anonymousShare = 1 / 4;
const maxKeys = 10_000;
const maxNetworks = 10_000;
/** Byte rate of all unauthenticated requests together, as a multiple of one key's rate. */
const anonymousBytesShare = 4;
/**
 * A request that began within its rate is aborted only beyond this overdraft, so that the event
 * that uses up the rate is not lost.
 */
const maxOverdraft = maxEventBytes;

/** Counts the bytes of one request. */
export interface IngestSlot {
  /**
   * Counts bytes that are now held in memory; a negative number are released.
   *
   * @throws IngestFailure 429 when all requests together hold too much.
   */
  hold(bytes: number): void;
  /**
   * Counts bytes as they are received or inflated.
   *
   * @throws IngestFailure 429 when the sender's byte rate is far overdrawn.
   */
  spend(bytes: number): void;
  /**
   * Charges the request to a client key from now on, including the bytes spent before the key was
   * known.
   */
  payBy(keyId: number): void;
  release(): void;
}

/**
 * The party charged for a request: a valid client key, or the address as long as the request has
 * named none.
 */
export type Payer = { readonly keyId: number } | { readonly address: string };

/** Use of a fraction of the capacity. */
interface Share {
  readonly part: number;
  waiting: number;
  bytes: number;
}

/**
 * Limits the rate and the amount of ingestion. Each refusal is a 429 with Retry-After: all SDKs
 * obey that, and none obeys a 503.
 */
export class IngestLimits {
  readonly #settings: IngestLimitSettings;
  readonly #now: () => number;
  /** Rates are for all replicas together, so each request costs as much as one at each of them. */
  readonly #cost: () => number;
  readonly #keys = new Map<number, OfKey>();
  readonly #networks = new Map<string, RestingBucket>();
  readonly #all: RestingBucket;
  readonly #anonymousBytes: RestingBucket;
  readonly #knownShares: readonly Share[] = [{ part: 1, waiting: 0, bytes: 0 }];
  readonly #anonymousShares: readonly Share[] = [...this.#knownShares, { part: anonymousShare, waiting: 0, bytes: 0 }];

  /** @param live number of the replicas that count for themselves. */
  constructor(
    settings: IngestLimitSettings,
    now: () => number = () => performance.now(),
    live: () => number = () => 1,
  ) {
    this.#cost = live;
    this.#settings = settings;
    this.#now = now;
    this.#all = new RestingBucket(settings.burst, settings.perSecond, now());
    this.#anonymousBytes = new RestingBucket(
      anonymousBytesShare * settings.keyBytesBurst,
      anonymousBytesShare * settings.keyBytesPerSecond,
      now(),
    );
  }

  /** @throws IngestFailure 429 when the rate of the key or of the installation is used up. */
  take(keyId: number): void {
    const now = this.#now();
    const { requests, bytes } = this.#ofKey(keyId, now);
    const wait = Math.max(requests.wait(now), bytes.wait(now), this.#all.wait(now));
    if (wait > 0) throw tooMany(wait);
    requests.take(this.#cost());
    this.#all.take(this.#cost());
  }

  #ofKey(keyId: number, now: number): OfKey {
    const known = this.#keys.get(keyId);
    if (known) return known;
    const { keyBurst, keyPerSecond, keyBytesBurst, keyBytesPerSecond } = this.#settings;
    const made = {
      requests: new RestingBucket(keyBurst, keyPerSecond, now),
      bytes: new RestingBucket(keyBytesBurst, keyBytesPerSecond, now),
    };
    putBounded(this.#keys, maxKeys, keyId, made);
    return made;
  }

  #ofNetwork(address: string, now: number): RestingBucket {
    const network = networkOf(address);
    const { keyBytesBurst, keyBytesPerSecond } = this.#settings;
    const bucket = this.#networks.get(network) ?? new RestingBucket(keyBytesBurst, keyBytesPerSecond, now);
    putBounded(this.#networks, maxNetworks, network, bucket);
    return bucket;
  }

  /**
   * @returns the byte rates that a request counts against.
   * @throws IngestFailure 429 when the rate of an unauthenticated network is used up; `take` checks
   * that of a key.
   */
  #bytesOf(payer: Payer): readonly RestingBucket[] {
    const now = this.#now();
    if ('keyId' in payer) return [this.#ofKey(payer.keyId, now).bytes];
    const buckets = [this.#ofNetwork(payer.address, now), this.#anonymousBytes];
    const wait = Math.max(...buckets.map((bucket) => bucket.wait(now)));
    if (wait > 0) throw tooMany(wait);
    return buckets;
  }

  #spend(buckets: readonly RestingBucket[], bytes: number): void {
    for (const bucket of buckets) bucket.take(bytes);
    if (!buckets.some((bucket) => bucket.isOverdrawn(maxOverdraft * this.#cost(), this.#now))) return;
    const now = this.#now();
    throw tooMany(Math.max(...buckets.map((bucket) => bucket.wait(now))));
  }

  /**
   * @throws IngestFailure 429 when too much is in progress, or the byte rate of an unauthenticated
   * sender is used up.
   */
  begin(payer: Payer): IngestSlot {
    const shares = 'keyId' in payer ? this.#knownShares : this.#anonymousShares;
    const { waiting, waitingBytes } = this.#settings;
    if (shares.some((share) => share.waiting >= waiting * share.part || share.bytes >= waitingBytes * share.part))
      throw busy();
    let buckets = this.#bytesOf(payer);
    for (const share of shares) share.waiting += 1;
    let own = 0;
    let spent = 0;
    return {
      hold: (bytes) => {
        own += bytes;
        for (const share of shares) share.bytes += bytes;
        if (shares.some((share) => share.bytes > waitingBytes * share.part)) throw busy();
      },
      spend: (bytes) => {
        const cost = bytes * this.#cost();
        spent += cost;
        this.#spend(buckets, cost);
      },
      payBy: (keyId) => {
        for (const bucket of buckets) bucket.take(-spent);
        buckets = [this.#ofKey(keyId, this.#now()).bytes];
        for (const bucket of buckets) bucket.take(spent);
      },
      release: () => {
        for (const share of shares) {
          share.waiting -= 1;
          share.bytes -= own;
        }
      },
    };
  }
}

interface OfKey {
  readonly requests: RestingBucket;
  readonly bytes: RestingBucket;
}

function tooMany(wait: number): IngestFailure {
  return new IngestFailure(429, 'Too many events. Later ones will be accepted again.', {
    drop: 'rate-limit',
    retryAfter: Math.max(1, wait),
  });
}

function busy(): IngestFailure {
  return new IngestFailure(429, 'Too many events are waiting.', { drop: 'busy', retryAfter: busyRetrySeconds });
}
