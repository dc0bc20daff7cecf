import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from './common.ts';

/**
 * `waiting` continues by itself at `retry_at`; `asking` waits for the user (a token, space on the
 * disk, a folder); `paused` was paused by the user.
 */
export const FetchState = Type.Enum([
  'queued',
  'running',
  'waiting',
  'asking',
  'paused',
  'done',
  'failed',
  'cancelled',
]);
export type FetchState = Static<typeof FetchState>;

/** Why a fetch, or one of its files, does not continue. */
export const FetchReason = Type.Enum([
  'unreachable',
  'server-busy',
  'server-failed',
  'certificate',
  'token-refused',
  'no-access',
  'not-found',
  'disk-full',
  'target-missing',
  'target-unwritable',
  'target-busy',
  'name-taken',
  'checksum-mismatch',
  'length-mismatch',
  'manifest-changed',
  'file-changed',
  'bad-manifest',
  'bad-path',
  'bad-answer',
  'redirected',
  'bad-archive',
  'outside-hours',
  'files-failed',
  'unexpected',
]);
export type FetchReason = Static<typeof FetchReason>;

export const FetchPhase = Type.Enum(['listing', 'fetching', 'verifying', 'unpacking']);
export type FetchPhase = Static<typeof FetchPhase>;

/** A measurement, some of its files, or its archive, being fetched into a folder. */
export const Fetch = named('Fetch', {
  id: Type.Integer(),
  server_id: Nullable(Type.Integer()),
  server_name: Type.String(),
  base_url: Type.String(),
  measurement_id: Type.String(),
  title: Nullable(Type.String()),
  what: Type.Enum(['files', 'archive']),
  target: Type.String({ description: 'Absolute path of the folder' }),
  unpack: Type.Boolean(),
  state: FetchState,
  phase: Nullable(FetchPhase),
  reason: Nullable(FetchReason),
  message: Nullable(Type.String({ description: 'What happened and what to do' })),
  priority: Type.Integer({ minimum: -1, maximum: 1 }),
  files_total: Nullable(Type.Integer()),
  files_done: Type.Integer(),
  bytes_total: Nullable(Type.Integer()),
  bytes_done: Type.Integer({ description: 'On disk' }),
  bytes_verified: Type.Integer({ description: 'On disk and proven by checksum' }),
  bytes_per_second: Type.Integer(),
  seconds_left: Nullable(Type.Integer()),
  connections: Type.Integer({ description: 'Open now' }),
  silent_seconds: Nullable(
    Type.Integer({ description: 'Since the last byte, while bytes should come; null otherwise' }),
  ),
  stalled: Type.Boolean({ description: 'Running, but no byte has come for fifteen seconds' }),
  attempts: Type.Integer(),
  retry_at: Nullable(Timestamp),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  verified_at: Nullable(Timestamp),
});
export type Fetch = Static<typeof Fetch>;

export const FetchRequest = Type.Object(
  {
    server_id: Type.Integer(),
    measurement_id: Type.String({ minLength: 1, maxLength: 256 }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    what: Type.Enum(['files', 'archive']),
    indices: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 2147483647 }), { minItems: 1, maxItems: 100_000 }),
    ),
    target: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Absolute path; a folder of the measurement is made in it',
    }),
    unpack: Type.Optional(Type.Boolean({ description: 'Unpack the archive on arrival and remove it' })),
    priority: Type.Optional(Type.Integer({ minimum: -1, maximum: 1 })),
    paused: Type.Optional(Type.Boolean({ description: 'Put into the list without starting' })),
  },
  { additionalProperties: false },
);
export type FetchRequest = Static<typeof FetchRequest>;

export const FetchFilter = Type.Enum(['all', 'active', 'paused', 'attention', 'done', 'failed']);
export type FetchFilter = Static<typeof FetchFilter>;
export const FetchSort = Type.Enum(['queue', 'title', 'size', 'state', 'added']);
export type FetchSort = Static<typeof FetchSort>;
export const FetchListQuery = Type.Object({
  filter: Type.Optional(FetchFilter),
  sort: Type.Optional(FetchSort),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'The queue has one order alone' })),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  offset: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
});
export type FetchListQuery = Static<typeof FetchListQuery>;
/** In the order of the queue: running, waiting, then ended ones, the newest first. */
export const FetchPage = named('FetchPage', {
  items: Type.Array(Fetch),
  total: Type.Integer(),
  counts: Type.Object({
    all: Type.Integer(),
    active: Type.Integer(),
    paused: Type.Integer(),
    attention: Type.Integer(),
    done: Type.Integer(),
    failed: Type.Integer(),
  }),
});
export type FetchPage = Static<typeof FetchPage>;

export const FetchFile = Type.Object({
  index: Type.Integer(),
  path: Type.String(),
  length: Nullable(Type.Integer()),
  bytes_done: Type.Integer(),
  state: Type.Enum(['waiting', 'partial', 'done', 'failed']),
  skipped: Type.Boolean({ description: 'It was there already, and right' }),
  message: Nullable(Type.String()),
  verified_at: Nullable(Timestamp),
});
export type FetchFile = Static<typeof FetchFile>;
export const FetchFileQuery = Type.Object({
  filter: Type.Optional(Type.Enum(['all', 'open', 'failed', 'done'])),
  offset: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
});
export const FetchFilePage = named('FetchFilePage', { items: Type.Array(FetchFile), total: Type.Integer() });
export type FetchFilePage = Static<typeof FetchFilePage>;

/** The ranges of a file that are on disk and in flight: `[first, after the last]`. */
export const FetchPieces = named('FetchPieces', {
  path: Type.String(),
  length: Nullable(Type.Integer()),
  done: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
  coming: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
  verified: Type.Boolean({ description: 'The whole file is there and was proven by its checksums' }),
});
export type FetchPieces = Static<typeof FetchPieces>;

export const FetchLogLine = Type.Object({
  id: Type.Integer(),
  at: Timestamp,
  level: Type.Enum(['info', 'warn', 'error']),
  message: Type.String(),
});
export type FetchLogLine = Static<typeof FetchLogLine>;

/**
 * `remove` forgets the row and keeps the files; `clear` does so only with finished ones; `cancel`
 * also removes incomplete files; `verify` reads the fetched files again.
 */
export const FetchAction = Type.Enum([
  'pause',
  'resume',
  'cancel',
  'retry',
  'keep-both',
  'remove',
  'clear',
  'verify',
  'first',
  'earlier',
  'later',
  'last',
]);
export type FetchAction = Static<typeof FetchAction>;
export const FetchActionRequest = Type.Object(
  {
    action: FetchAction,
    ids: Type.Union([Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 10_000 }), Type.Literal('all')]),
  },
  { additionalProperties: false },
);
export type FetchActionRequest = Static<typeof FetchActionRequest>;
export const FetchActionResult = Type.Object({ changed: Type.Integer() });
export const FetchChange = Type.Object(
  {
    priority: Type.Optional(Type.Integer({ minimum: -1, maximum: 1 })),
    target: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  },
  { additionalProperties: false },
);
export type FetchChange = Static<typeof FetchChange>;
