import { Type, type Static } from 'typebox';
import { Nullable } from './common.ts';
import { Fetch } from './fetches.ts';
import { Job } from './jobs.ts';

/**
 * Server-sent events of `/api/v4/events`. `changed` names a list to read again, `job` is sent at
 * most four times a second, `rates` once a second while bodies are sent.
 */
export const ChangedEvent = Type.Object({
  topic: Type.Enum([
    'measurements',
    'tokens',
    'users',
    'projects',
    'transfers',
    'service',
    'applications',
    'account',
    'audit',
    'errors',
    'fetches',
    'servers',
    'sharing',
    'backups',
    'copies',
    'captures',
    'happenings',
    'benches',
  ]),
  id: Type.Optional(Type.String()),
});
export type ChangedEvent = Static<typeof ChangedEvent>;
export const RatesEvent = Type.Object({ up_bytes_per_second: Type.Integer(), up_clients: Type.Integer() });
export type RatesEvent = Static<typeof RatesEvent>;
export const JobEvent = Job;
export type JobEvent = Static<typeof JobEvent>;

/** Progress of a fetch, at most four times a second; only for the window. */
export const FetchEvent = Fetch;
export type FetchEvent = Static<typeof FetchEvent>;
/** Progress of all fetches together, once a second while any is running; only for the window. */
export const IncomingEvent = Type.Object({
  down_bytes_per_second: Type.Integer(),
  running: Type.Integer(),
  /**
   * For all that is running or queued and whose size is known; null when there is none, or no bytes
   * arrive.
   */
  seconds_left: Nullable(Type.Integer()),
  /** Number of fetches whose size is not known yet; with any, `seconds_left` is a lower bound. */
  unknown_sizes: Type.Integer(),
});
export type IncomingEvent = Static<typeof IncomingEvent>;

/** Progress of adding many fetches, only for the window; `key` is the one of the request. */
export const AddingEvent = Type.Object({ key: Type.String(), done: Type.Integer(), total: Type.Integer() });
export type AddingEvent = Static<typeof AddingEvent>;

/**
 * An error that is new, or that recurred after it was resolved; for users who may see its project.
 */
export const NewErrorEvent = Type.Object({
  project_id: Type.Integer(),
  project_path: Type.String(),
  error_id: Type.String(),
  title: Type.String(),
  kind: Type.Enum(['new', 'regressed']),
});
export type NewErrorEvent = Static<typeof NewErrorEvent>;

/**
 * A measurement whose files were all intact, and one of which no longer is; for its owner and
 * administrators.
 */
export const DegradedEvent = Type.Object({ measurement_id: Type.String(), title: Type.String() });
export type DegradedEvent = Static<typeof DegradedEvent>;

export interface ServiceEvents {
  readonly changed: ChangedEvent;
  readonly job: JobEvent;
  readonly rates: RatesEvent;
  readonly fetch: FetchEvent;
  readonly incoming: IncomingEvent;
  readonly adding: AddingEvent;
  readonly 'new-error': NewErrorEvent;
  readonly degraded: DegradedEvent;
}
