import { Type, type Static } from 'typebox';
import { Nullable } from './common.ts';
import { Fetch } from './fetches.ts';
import { Job } from './jobs.ts';

/**
 * Server-sent events of `/api/v4/events`. `changed` says which list to read again, `job` carries progress at most four times a
 * second, `rates` once a second while something is sent.
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
  ]),
  id: Type.Optional(Type.String()),
});
export type ChangedEvent = Static<typeof ChangedEvent>;
export const RatesEvent = Type.Object({ up_bytes_per_second: Type.Integer(), up_clients: Type.Integer() });
export type RatesEvent = Static<typeof RatesEvent>;
export const JobEvent = Job;
export type JobEvent = Static<typeof JobEvent>;

/** Progress of a fetch, at most four times a second; for the window alone. */
export const FetchEvent = Fetch;
export type FetchEvent = Static<typeof FetchEvent>;
/** What comes in, once a second while anything does; for the window alone. */
export const IncomingEvent = Type.Object({
  down_bytes_per_second: Type.Integer(),
  running: Type.Integer(),
  /** For all that runs or waits for its turn and whose size is known; null where that is nothing, or nothing comes. */
  seconds_left: Nullable(Type.Integer()),
  /** How many of these have a size that is not known yet: it takes at least `seconds_left` then. */
  unknown_sizes: Type.Integer(),
});
export type IncomingEvent = Static<typeof IncomingEvent>;

/** How far adding many fetches has come, for the window alone; `key` is the one of its request. */
export const AddingEvent = Type.Object({ key: Type.String(), done: Type.Integer(), total: Type.Integer() });
export type AddingEvent = Static<typeof AddingEvent>;

/** An error that was not there before, or one that came back after it was resolved; for those who may see its project. */
export const NewErrorEvent = Type.Object({
  project_id: Type.Integer(),
  project_path: Type.String(),
  error_id: Type.String(),
  title: Type.String(),
  kind: Type.Enum(['new', 'regressed']),
});
export type NewErrorEvent = Static<typeof NewErrorEvent>;

/** A measurement whose files were all as registered, and one of which no longer is; for its owner and administrators. */
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
