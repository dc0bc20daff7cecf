/**
 * Reason why a received item was not stored, as in `ingest_counts`, which also has `item:TYPE` for
 * item types that are only counted.
 */
export type DropReason =
  | 'duplicate'
  | 'rate-limit'
  | 'busy'
  | 'too-large'
  | 'malformed'
  | 'no-release'
  | 'too-many-items';

const refusals: ReadonlySet<string> = new Set<DropReason>([
  'rate-limit',
  'busy',
  'too-large',
  'malformed',
  'too-many-items',
]);

/**
 * Whether an outcome means that an event was lost; duplicates and items that are only counted are
 * not losses.
 */
export function isRefusal(outcome: string): boolean {
  return refusals.has(outcome);
}

/** A refused request, with the response that its SDK receives. */
export class IngestFailure extends Error {
  readonly status: 400 | 404 | 413 | 415 | 429;
  readonly drop: DropReason | null;
  readonly retryAfter: number | null;
  /** The project of the sender; null until its client key is verified. */
  projectId: number | null = null;

  /** @param detail public; it must not reveal whether the project or the key is unknown. */
  constructor(
    status: 400 | 404 | 413 | 415 | 429,
    detail: string,
    options: { readonly drop?: DropReason; readonly retryAfter?: number; readonly cause?: unknown } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'IngestFailure';
    this.status = status;
    this.drop = options.drop ?? null;
    this.retryAfter = options.retryAfter ?? null;
  }
}

export function malformed(detail: string, cause?: unknown): IngestFailure {
  return new IngestFailure(400, detail, { drop: 'malformed', cause });
}

export function tooLarge(what: string, max: number): IngestFailure {
  return new IngestFailure(413, `${what} is larger than ${max} bytes.`, { drop: 'too-large' });
}

const diskFullRetrySeconds = 60;

/**
 * Reported like any overload: SDKs retry later, and events received until then are counted and
 * dropped.
 */
export function diskAlmostFull(): IngestFailure {
  return new IngestFailure(429, 'The disk of the server is almost full. Later events will be accepted again.', {
    drop: 'busy',
    retryAfter: diskFullRetrySeconds,
  });
}

const lockRetrySeconds = 5;

/**
 * Reported like any overload, after the write was retried: another program holds the lock on the
 * database.
 */
export function databaseLocked(cause: unknown): IngestFailure {
  return new IngestFailure(429, 'The database of the server is locked. Later events will be accepted again.', {
    drop: 'busy',
    retryAfter: lockRetrySeconds,
    cause,
  });
}
