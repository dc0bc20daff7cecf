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

export interface ServiceEvents {
  readonly changed: ChangedEvent;
  readonly job: JobEvent;
  readonly rates: RatesEvent;
}
