import { Type, type Static } from 'typebox';
import { MeasurementId, named, Nullable, Timestamp } from '../common.ts';

const CaptureState = Type.Enum([
  'seen',
  'growing',
  'quiet',
  'hashing',
  'registered',
  'pushed',
  'needs-you',
  'changed-after',
  'skipped',
  'gone',
]);

/** Groups of states for lists. `waiting`: not registered yet; `done`: registered or pushed. */
export const CaptureFilter = Type.Enum(['all', 'needs-you', 'waiting', 'done', 'skipped']);
export type CaptureFilter = Static<typeof CaptureFilter>;

export const CaptureCounts = Type.Object({
  all: Type.Integer(),
  needs_you: Type.Integer({ description: 'Those that need a decision, before or after their registration' }),
  waiting: Type.Integer(),
  done: Type.Integer(),
  skipped: Type.Integer(),
});
export type CaptureCounts = Static<typeof CaptureCounts>;

/** Why a run needs a person, or is skipped. */
export const CaptureReason = Type.Enum([
  'no-sign',
  'unfinished',
  'empty',
  'unreadable',
  'refused-names',
  'no-id',
  'id-taken',
  'no-field',
  'unknown-owner',
  'unknown-project',
  'unknown-reader',
  'no-server',
  'failed',
  'changed',
  'there-before',
  'by-hand',
  'measurement-removed',
]);
export type CaptureReason = Static<typeof CaptureReason>;

export const CaptureRun = named('CaptureRun', {
  id: Type.Integer(),
  rule_id: Type.Integer(),
  rule_name: Type.String(),
  name: Type.String({ description: 'Path below the watched folder' }),
  state: CaptureState,
  reason: Nullable(CaptureReason),
  message: Nullable(Type.String()),
  file_count: Type.Integer(),
  total_bytes: Type.Integer(),
  first_seen_at: Timestamp,
  changed_at: Timestamp,
  ready_at: Nullable(Timestamp),
  longest_gap_seconds: Type.Integer({ description: 'The longest time in which nothing changed, before a change' }),
  missing: Type.Boolean({ description: 'Whether a registered run is no longer in the folder' }),
  measurement_id: Nullable(Type.String()),
});
export type CaptureRun = Static<typeof CaptureRun>;

export const CaptureRunQuery = Type.Object({
  rule_id: Type.Optional(Type.Integer({ minimum: 1 })),
  filter: Type.Optional(CaptureFilter),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});
export const CaptureRunPage = named('CaptureRunPage', {
  items: Type.Array(CaptureRun),
  total: Type.Integer(),
  counts: CaptureCounts,
});
export type CaptureRunPage = Static<typeof CaptureRunPage>;

/** Past states of a run, newest first. */
export const CaptureHistory = Type.Array(
  Type.Object({
    at: Timestamp,
    state: CaptureState,
    reason: Nullable(CaptureReason),
    message: Nullable(Type.String()),
  }),
  { $id: 'CaptureHistory' },
);
export type CaptureHistory = Static<typeof CaptureHistory>;

/**
 * `register`: without waiting for its sign. `retry`: again, and of a run that changed after it was
 * registered, its new state as another measurement. `keep`: what was registered stays as it is.
 */
export const CaptureRunAction = Type.Enum(['register', 'retry', 'skip', 'keep']);
export type CaptureRunAction = Static<typeof CaptureRunAction>;
export const CaptureRunActionRequest = Type.Object(
  {
    action: CaptureRunAction,
    ids: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 1000 }),
    measurement_id: Type.Optional(MeasurementId),
    leave_out: Type.Optional(Type.Boolean({ description: 'Register without the files whose names are refused' })),
  },
  { additionalProperties: false },
);
export type CaptureRunActionRequest = Static<typeof CaptureRunActionRequest>;
export const CaptureChanged = Type.Object({ changed: Type.Integer() });

/** Runs that a rule finds now, and why each would or would not be registered. */
export const CaptureTrial = named('CaptureTrial', {
  runs: Type.Array(
    Type.Object({
      name: Type.String(),
      file_count: Type.Integer(),
      total_bytes: Type.Integer(),
      is_complete: Type.Boolean({ description: 'Whether its sign is there; quiet is known only by waiting' }),
      measurement_id: Nullable(Type.String()),
      title: Nullable(Type.String()),
      owner: Nullable(Type.String()),
      project: Nullable(Type.String()),
      reason: Nullable(CaptureReason),
      message: Nullable(Type.String({ description: 'Why it would not be registered now' })),
      known_as: Nullable(CaptureState),
    }),
  ),
  total: Type.Integer({ description: 'Runs in the folder; at most 100 are listed' }),
  message: Nullable(Type.String({ description: 'Why the folder cannot be read' })),
});
export type CaptureTrial = Static<typeof CaptureTrial>;
