import { Type, type Static } from 'typebox';
import { Job } from './jobs.ts';

/**
 * Server-sent events of `/api/v4/events`. `changed` says which list to read again, `job` carries progress at most four times a
 * second, `rates` once a second while something is sent.
 */
export const ChangedEvent = Type.Object({
  topic: Type.Enum(['measurements', 'tokens', 'users', 'projects', 'transfers', 'service', 'applications', 'account', 'audit', 'errors']),
  id: Type.Optional(Type.String()),
});
export type ChangedEvent = Static<typeof ChangedEvent>;
export const RatesEvent = Type.Object({ up_bytes_per_second: Type.Integer(), up_clients: Type.Integer() });
export type RatesEvent = Static<typeof RatesEvent>;
export const JobEvent = Job;
export type JobEvent = Static<typeof JobEvent>;

/** An error that was not there before, or one that came back after it was resolved; for those who may see its project. */
export const NewErrorEvent = Type.Object({
  project_id: Type.Integer(),
  project_path: Type.String(),
  error_id: Type.String(),
  title: Type.String(),
  kind: Type.Enum(['new', 'regressed']),
});
export type NewErrorEvent = Static<typeof NewErrorEvent>;

export interface ServiceEvents {
  readonly changed: ChangedEvent;
  readonly job: JobEvent;
  readonly rates: RatesEvent;
  readonly 'new-error': NewErrorEvent;
}
