import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from './common.ts';
import { ErrorSummary } from './errors.ts';

export const EventPeriod = Type.Enum(['24h', '14d', '90d']);
export type EventPeriod = Static<typeof EventPeriod>;

/** Events received by a project over a period, in steps of equal length. */
export const EventCounts = named('EventCounts', {
  step_hours: Type.Integer({ description: 'Length of a step: 1, or 24 (a day in UTC) for 90 days' }),
  steps: Type.Array(Type.Object({ at: Timestamp, accepted: Type.Integer(), refused: Type.Integer() }), {
    description: 'The oldest first; the last one is not over yet',
  }),
});
export type EventCounts = Static<typeof EventCounts>;

/** A row of the list over all projects. */
export const ErrorOfProject = named('ErrorOfProject', {
  ...ErrorSummary.properties,
  project: Type.Object({ id: Type.Integer(), path: Type.String() }),
});
export type ErrorOfProject = Static<typeof ErrorOfProject>;

export const ErrorPageOfProjects = named('ErrorPageOfProjects', {
  errors: Type.Array(ErrorOfProject),
  next: Nullable(Type.String()),
  total: Nullable(Type.Integer()),
});
export type ErrorPageOfProjects = Static<typeof ErrorPageOfProjects>;
