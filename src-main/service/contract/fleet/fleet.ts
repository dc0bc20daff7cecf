import { Type, type Static } from 'typebox';
import { named, Nullable, PageQuery, Timestamp } from '../common.ts';

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const maxName = 100;
const Name = Type.String({ minLength: 1, maxLength: maxName });

const Disk = Type.Object(
  {
    what: Type.Enum(['data', 'library', 'watched']),
    name: Type.String({ maxLength: maxName, description: 'Of the rule, for a watched folder; paths are not sent' }),
    free_bytes: Count,
    size_bytes: Count,
  },
  { additionalProperties: false },
);
export type BenchDisk = Static<typeof Disk>;

/** `closing`: the program ends; `asleep`: the computer is suspended. */
const Going = Type.Enum(['closing', 'asleep']);
export type BenchGoing = Static<typeof Going>;

const told = {
  name: Name,
  version: Type.String({ minLength: 1, maxLength: 60 }),
  platform: Type.String({ maxLength: 60 }),
  uptime_seconds: Count,
  disks: Type.Array(Disk, { maxItems: 20 }),
  copies: Type.Object(
    {
      waiting: Count,
      waiting_bytes: Count,
      oldest_since: Nullable(Timestamp),
      failed: Type.Integer({ minimum: 0, description: 'Given up, or asking for a person' }),
    },
    { additionalProperties: false, description: 'Copies for this server that have not arrived' },
  ),
  runs: Type.Object({ growing: Count, stuck: Count }, { additionalProperties: false }),
  rules: Type.Object({ watching: Count, paused: Count, unreachable: Count }, { additionalProperties: false }),
  jobs_failed: Type.Integer({ minimum: 0, description: 'Of the last seven days' }),
  last_run: Nullable(
    Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 128 }),
        title: Type.String({ maxLength: 300 }),
        registered_at: Timestamp,
      },
      { additionalProperties: false },
    ),
  ),
  errors: Type.Object(
    { unresolved: Count, events_last_hour: Count },
    { additionalProperties: false, description: 'Of the programs that report errors to the bench' },
  ),
};

/** The payload of a signed report, by which a bench describes itself. */
export const BenchReport = named(
  'BenchReport',
  {
    to: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Host and port of the server that it is for, so that it can be handed on to no other one',
    }),
    sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Larger with each report of a bench',
    }),
    sent_at: Timestamp,
    round_trip_ms: Nullable(Type.Integer({ minimum: 0, maximum: 600_000, description: 'Of the report before' })),
    next_report_ms: Type.Integer({ minimum: 1000, maximum: 3_600_000 }),
    going: Nullable(Going),
    ...told,
  },
  { additionalProperties: false },
);
export type BenchReport = Static<typeof BenchReport>;

export const maxReportBytes = 16 * 1024;

export const SignedBenchReport = Type.Object(
  {
    report: Type.String({
      minLength: 1,
      maxLength: maxReportBytes,
      pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
      description:
        'A BenchReport as a JWS (RFC 7515, compact, EdDSA) with `typ` benchport-bench and the public key as `jwk`; the thumbprint of the key is the id of the bench',
    }),
  },
  { $id: 'SignedBenchReport', additionalProperties: false },
);

export const BenchReportTaken = named('BenchReportTaken', { bench_id: Type.String(), received_at: Timestamp });
export type BenchReportTaken = Static<typeof BenchReportTaken>;

const BenchState = Type.Enum(['reporting', 'closed', 'asleep', 'away', 'unheard', 'silent'], {
  description:
    'away: it does not report, which is usual for it at this time, or of which nothing is known yet; silent: for longer than is usual for it; unheard: no bench at all is heard',
});

/** When its silence is told: `usual`, as it has been; `always-on`, at once; `may-be-off`, never. */
export const BenchExpectation = Type.Enum(['usual', 'always-on', 'may-be-off']);
export type BenchExpectation = Static<typeof BenchExpectation>;

/** Reasons why somebody should look at a bench. */
export const BenchConcern = Type.Enum([
  'silent',
  'unheard',
  'disk-full',
  'runs-stuck',
  'rules-unreachable',
  'copies-failed',
  'backlog-old',
  'clock-off',
  'errors',
]);
export type BenchConcern = Static<typeof BenchConcern>;

export const Bench = named('Bench', {
  id: Type.String({ description: 'Thumbprint of its key (RFC 7638)' }),
  ...told,
  name: Type.String({ description: 'As an administrator calls it, otherwise as it calls itself' }),
  reported_name: Type.String(),
  note: Type.String(),
  expected: BenchExpectation,
  username: Type.String({ description: 'Whose token it reports with' }),
  state: BenchState,
  since: Timestamp,
  heard_at: Timestamp,
  first_heard_at: Timestamp,
  clock_ahead_ms: Type.Integer({ description: 'Its clock before that of this server; negative when behind' }),
  is_older: Type.Boolean({ description: 'Whether its version is older than that of this server' }),
  concerns: Type.Array(BenchConcern),
});
export type Bench = Static<typeof Bench>;

export const BenchDetail = named('BenchDetail', {
  ...Bench.properties,
  absences: Type.Array(Type.Object({ from: Timestamp, until: Timestamp }), {
    description: 'When it was away without saying so, in the last four weeks, newest first',
  }),
});
export type BenchDetail = Static<typeof BenchDetail>;

/** `attention`: those that somebody should look at. */
export const BenchFilter = Type.Enum(['all', 'attention', 'reporting', 'gone']);
export type BenchFilter = Static<typeof BenchFilter>;
export const BenchSort = Type.Enum([
  'state',
  'name',
  'heard_at',
  'last_run',
  'backlog',
  'disk',
  'version',
  'clock',
  'errors',
]);
export type BenchSort = Static<typeof BenchSort>;

export const BenchQuery = Type.Object({
  ...PageQuery.properties,
  filter: { ...BenchFilter, default: 'all' },
  search: Type.String({ maxLength: 200, default: '', description: 'Part of the name, the note or the user name' }),
  sort: { ...BenchSort, default: 'state', description: 'state: those that need somebody come first' },
  order: Type.Enum(['asc', 'desc'], { default: 'asc' }),
});
export type BenchQuery = Static<typeof BenchQuery>;

export const BenchSummary = named('BenchSummary', {
  all: Type.Integer(),
  attention: Type.Integer(),
  reporting: Type.Integer(),
  gone: Type.Integer({ description: 'Closed, asleep or away' }),
  unheard_since: Nullable(Type.String({ format: 'date-time', description: 'Since when no bench at all is heard' })),
});
export type BenchSummary = Static<typeof BenchSummary>;

export const BenchChange = Type.Object(
  {
    name: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: maxName, description: 'Null: its own' }))),
    note: Type.Optional(Type.String({ maxLength: 1000 })),
    expected: Type.Optional(BenchExpectation),
  },
  { $id: 'BenchChange', additionalProperties: false },
);
export type BenchChange = Static<typeof BenchChange>;
