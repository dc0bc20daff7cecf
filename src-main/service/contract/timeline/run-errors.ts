import { Type, type Static } from 'typebox';
import { MeasurementId, named, Nullable, Timestamp } from '../common.ts';
import { ErrorStatus } from '../errors.ts';

const Cursor = Type.Optional(Type.String({ maxLength: 200, description: '`next` of the page before' }));

export const RunErrorsQuery = Type.Object({
  project: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Id or path of the only project to look at. Otherwise those that were granted the measurement, or if the caller is a member of none of them, all of which the caller is a member',
    }),
  ),
  cursor: Cursor,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
});
export type RunErrorsQuery = Static<typeof RunErrorsQuery>;

const RunError = Type.Object({
  id: Type.String(),
  title: Type.String(),
  culprit: Type.String(),
  level: Type.String(),
  status: ErrorStatus,
  project: Type.Object({ id: Type.Integer(), path: Type.String() }),
  events: Type.Integer({ description: 'Within the window' }),
  first_at: Type.String({ format: 'date-time', description: 'Beginning of the first minute with an event' }),
  last_at: Type.String({ format: 'date-time', description: 'Beginning of the last minute with an event' }),
});
export type RunError = Static<typeof RunError>;

const RunWindow = Type.Object({
  began_at: Type.String({ format: 'date-time', description: 'Earliest modification of a file' }),
  ended_at: Type.String({ format: 'date-time', description: 'Latest modification of a file' }),
  from: Type.String({ format: 'date-time', description: 'Beginning of the window: a whole minute, or a whole hour' }),
  until: Type.String({ format: 'date-time', description: 'First moment after the window' }),
});
export type RunWindow = Static<typeof RunWindow>;

/** The errors of lab software that have events while a measurement was taken. */
export const RunErrors = named('RunErrors', {
  state: Type.Enum(['known', 'unknown', 'too_long'], {
    description:
      'unknown: no file has a time that can be one, or it has not been read yet. too_long: the times of the files are further apart than a run can last',
  }),
  window: Nullable(RunWindow),
  span_days: Nullable(Type.Integer({ description: 'Days between the first and the last time of a file' })),
  kept_days: Type.Integer({ description: 'Counts of events are removed after so many days at the latest' }),
  projects: Type.Array(
    Type.Object({
      id: Type.Integer(),
      path: Type.String(),
      name: Type.String(),
      granted: Type.Boolean({ description: 'Whether the members of the project may read the measurement' }),
      external: Type.Boolean({
        description: 'Whether its errors are kept by an external backend, and not looked at',
      }),
    }),
    { description: 'Whose errors were looked at' },
  ),
  more_projects: Type.Boolean({ description: 'Whether the caller is a member of more projects than were looked at' }),
  step_seconds: Type.Integer({ description: 'Length of a step' }),
  steps: Type.Array(Type.Integer(), { description: 'Events in each step of the window; only on the first page' }),
  errors: Type.Array(RunError, { description: 'The most frequent first' }),
  total: Type.Integer({ description: 'Number of errors' }),
  complete: Type.Boolean({ description: 'False: there are so many errors that not all were looked at' }),
  next: Nullable(Type.String({ description: 'Cursor of the next page' })),
});
export type RunErrors = Static<typeof RunErrors>;

export const ErrorRunsQuery = Type.Object({
  cursor: Cursor,
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 20 }),
});
export type ErrorRunsQuery = Static<typeof ErrorRunsQuery>;

const ErrorRun = Type.Object({
  id: MeasurementId,
  title: Type.String(),
  began_at: Timestamp,
  ended_at: Timestamp,
  events: Type.Integer({ description: 'Events of the error within the window of the measurement' }),
});

/** The measurements that were taken while an error had events. */
export const ErrorRuns = named('ErrorRuns', {
  measurements: Type.Array(ErrorRun, { description: 'The last registered first' }),
  next: Nullable(
    Type.String({ description: 'Cursor of the next page, also behind a page with fewer rows than asked for' }),
  ),
});
export type ErrorRuns = Static<typeof ErrorRuns>;
