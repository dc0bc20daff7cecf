import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from './common.ts';

export const ErrorStatus = Type.Enum(['unresolved', 'resolved', 'ignored']);
export type ErrorStatus = Static<typeof ErrorStatus>;
export const Level = Type.Enum(['fatal', 'error', 'warning', 'info', 'debug']);
export type Level = Static<typeof Level>;

const Text = Nullable(Type.String());
const Values = Type.Record(Type.String(), Type.Unknown());

/** A stack frame; lists are oldest first, as SDKs send them; missing parts are null. */
export const StackFrame = Type.Object({
  function: Text,
  module: Text,
  filename: Text,
  abs_path: Text,
  line: Nullable(Type.Integer()),
  column: Nullable(Type.Integer()),
  in_app: Type.Boolean(),
  pre_context: Type.Array(Type.String()),
  context_line: Text,
  post_context: Type.Array(Type.String()),
  vars: Nullable(Values),
});
export type StackFrame = Static<typeof StackFrame>;

export const ErrorException = Type.Object({
  type: Text,
  value: Text,
  module: Text,
  handled: Nullable(Type.Boolean()),
  synthetic: Type.Boolean(),
  frames: Type.Array(StackFrame),
});
export type ErrorException = Static<typeof ErrorException>;

export const Breadcrumb = Type.Object({
  timestamp: Nullable(Timestamp),
  type: Text,
  category: Text,
  level: Text,
  message: Text,
  data: Nullable(Values),
});
export type Breadcrumb = Static<typeof Breadcrumb>;

/** An event as it is stored: one shape for those of all SDKs. */
export const ErrorEvent = named('ErrorEvent', {
  event_id: Type.String({ description: '32 hexadecimal digits' }),
  received_at: Timestamp,
  occurred_at: Timestamp,
  level: Level,
  platform: Type.String(),
  environment: Text,
  release: Text,
  server_name: Text,
  logger: Text,
  transaction: Text,
  message: Nullable(Type.Object({ formatted: Type.String(), template: Text, params: Type.Unknown() })),
  exceptions: Type.Array(ErrorException, { description: 'The oldest cause first' }),
  threads: Type.Array(
    Type.Object({
      id: Text,
      name: Text,
      crashed: Type.Boolean(),
      current: Type.Boolean(),
      frames: Type.Array(StackFrame),
    }),
  ),
  breadcrumbs: Type.Array(Breadcrumb),
  tags: Type.Array(Type.Tuple([Type.String(), Type.String()])),
  user: Nullable(Type.Object({ id: Text, username: Text, email: Text, ip_address: Text, more: Values })),
  request: Nullable(Values),
  contexts: Values,
  extra: Values,
  modules: Type.Record(Type.String(), Type.String()),
  sdk: Nullable(Type.Object({ name: Text, version: Text })),
  fingerprint: Type.Array(Type.String()),
  shortened: Type.Boolean({ description: 'Whether parts were cut to keep within the limits' }),
});
export type ErrorEvent = Static<typeof ErrorEvent>;

/** A row of the error list. */
export const ErrorSummary = named('ErrorSummary', {
  id: Type.String({ description: 'Digits; a string, because other backends have ids beyond 2^53' }),
  title: Type.String(),
  type: Type.String(),
  value: Type.String(),
  culprit: Type.String(),
  level: Type.String(),
  platform: Type.String(),
  status: ErrorStatus,
  regressed: Type.Boolean(),
  events: Type.Integer(),
  users: Type.Integer(),
  first_seen: Timestamp,
  last_seen: Timestamp,
  first_release: Text,
  last_release: Text,
  hours: Type.Array(Type.Integer(), { description: 'Events in each of the last 24 hours, the oldest first' }),
});
export type ErrorSummary = Static<typeof ErrorSummary>;

export const ErrorSort = Type.Enum(['last_seen', 'first_seen', 'events', 'users']);
export type ErrorSort = Static<typeof ErrorSort>;

export const ErrorListQuery = Type.Object({
  query: Type.String({
    maxLength: 500,
    default: '',
    description: 'Words, and is:, level:, release:, environment:, TAG:VALUE; without is: all that are unresolved',
  }),
  sort: Type.Optional(ErrorSort),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
});
export type ErrorListQuery = Static<typeof ErrorListQuery>;

export const ErrorPage = named('ErrorPage', {
  errors: Type.Array(ErrorSummary),
  next: Nullable(Type.String()),
  total: Nullable(Type.Integer()),
});
export type ErrorPage = Static<typeof ErrorPage>;

export const ErrorDetail = named('ErrorDetail', {
  ...ErrorSummary.properties,
  days: Type.Array(Type.Integer(), { description: 'Events in each of the last 14 days (UTC), the oldest first' }),
  releases: Type.Array(Type.Object({ release: Type.String(), first_seen: Timestamp }), {
    description: 'When each release was first seen, within the 14 days',
  }),
  tags: Type.Array(
    Type.Object({
      tag: Type.String(),
      values: Type.Array(Type.Object({ value: Type.String(), events: Type.Integer() })),
    }),
  ),
  groups: Type.Array(
    Type.Object({ id: Type.String(), events: Type.Integer(), first_seen: Timestamp, last_seen: Timestamp }),
  ),
  stored_events: Type.Integer(),
  backend: Type.Enum(['integrated', 'external']),
  external_url: Text,
});
export type ErrorDetail = Static<typeof ErrorDetail>;

/** An event with its neighbours within the error. */
export const ErrorEventPage = named('ErrorEventPage', {
  event: ErrorEvent,
  previous: Text,
  next: Text,
  position: Nullable(Type.Integer()),
  of: Nullable(Type.Integer()),
});
export type ErrorEventPage = Static<typeof ErrorEventPage>;

export const ErrorChange = Type.Object(
  { ids: Type.Array(Type.String({ pattern: '^[0-9]{1,20}$' }), { minItems: 1, maxItems: 1000 }), status: ErrorStatus },
  { additionalProperties: false },
);
export type ErrorChange = Static<typeof ErrorChange>;

/** GitLab's shape of a client key, with further members for its screen. */
export const ClientKey = named('ClientKey', {
  id: Type.Integer(),
  active: Type.Boolean(),
  public_key: Type.String(),
  sentry_dsn: Type.String(),
  sentry_dsn_deprecated: Type.String({
    description: 'With a secret part, for clients that refuse a DSN without one',
  }),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  events: Type.Integer(),
});
export type ClientKey = Static<typeof ClientKey>;

/** GitLab's shape of a project's error tracking settings; the token is never returned. */
export const ErrorTrackingSettings = named('ErrorTrackingSettings', {
  active: Type.Boolean(),
  project_name: Text,
  sentry_external_url: Text,
  api_url: Text,
  integrated: Type.Boolean(),
  has_token: Type.Boolean(),
  retention_days: Nullable(Type.Integer()),
  most_events: Nullable(Type.Integer()),
  max_bytes: Nullable(Type.Integer()),
  stored_bytes: Type.Integer({ description: 'Size of the stored events' }),
});
export type ErrorTrackingSettings = Static<typeof ErrorTrackingSettings>;

export const ExternalProject = named('ExternalProject', {
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  status: Text,
  organization_id: Text,
  organization_name: Type.String(),
  organization_slug: Type.String(),
});
export type ExternalProject = Static<typeof ExternalProject>;

/** Crash-free sessions and users of a release, by day; a share is null where nothing was sent. */
export const ReleaseHealth = named('ReleaseHealth', {
  release: Type.String(),
  environment: Type.String(),
  sessions: Type.Integer(),
  crash_free_sessions: Nullable(Type.Number()),
  users: Type.Integer(),
  crash_free_users: Nullable(Type.Number()),
  days: Type.Array(
    Type.Object({
      day: Type.String(),
      sessions: Type.Integer(),
      crash_free_sessions: Nullable(Type.Number()),
      users: Type.Integer(),
      crash_free_users: Nullable(Type.Number()),
    }),
  ),
});
export type ReleaseHealth = Static<typeof ReleaseHealth>;
