import { Type, type Static } from 'typebox';
import { LocalPath, MeasurementId, named, Nullable, Timestamp } from './common.ts';

export const JobKind = Type.Enum(['register', 'verify', 'export', 'stage', 'backup', 'restore']);
export type JobKind = Static<typeof JobKind>;
export const JobState = Type.Enum(['queued', 'running', 'paused', 'done', 'failed', 'cancelled']);
export type JobState = Static<typeof JobState>;

/**
 * Work that outlives a request. Progress counts finished and verified work, not what was only read.
 */
export const Job = named('Job', {
  id: Type.Integer(),
  kind: JobKind,
  measurement_id: Type.String({
    description:
      'Empty for a backup and a restoration, which concern all data, and for a verification of several measurements',
  }),
  state: JobState,
  files_done: Type.Integer(),
  files_total: Type.Integer(),
  bytes_done: Type.Integer(),
  bytes_total: Type.Integer(),
  bytes_per_second: Type.Integer(),
  message: Nullable(Type.String({ description: 'What is being done, or why it failed and what to do' })),
  result: Nullable(
    Type.String({ description: 'Path of the exported, staged or backup file; only for the owner at the machine' }),
  ),
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
});
export type Job = Static<typeof Job>;

export const JobAction = Type.Enum(['pause', 'resume', 'cancel', 'retry'], {
  description: 'retry: a new job repeats a failed one',
});
export type JobAction = Static<typeof JobAction>;
export const JobActionRequest = Type.Object({ action: JobAction }, { additionalProperties: false });

/** The content of a dropped path, inspected before anything is registered. */
export const InspectRequest = Type.Object({ path: LocalPath }, { additionalProperties: false });
export const Inspection = named('Inspection', {
  path: Type.String(),
  kind: Type.Enum(['folder', 'file', 'zip']),
  suggested_id: MeasurementId,
  suggested_title: Type.String(),
  file_count: Type.Integer(),
  total_bytes: Type.Integer(),
  ignored: Type.Array(Type.String(), { description: 'Names left out by the ignore list, the first 100' }),
  warnings: Type.Array(Type.String(), {
    description: 'Names that are valid here but cause problems elsewhere, the first 100',
  }),
  refusals: Type.Array(Type.String(), { description: 'Why it cannot be registered as it is, the first 100' }),
});
export type Inspection = Static<typeof Inspection>;

export const RegisterRequest = Type.Object(
  {
    path: LocalPath,
    id: Type.Optional(MeasurementId),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    copy: Type.Optional(Type.Boolean({ description: 'Copy into the library; a ZIP always is' })),
    leave_out: Type.Optional(
      Type.Boolean({ description: 'Leave out what cannot be registered, and register the rest' }),
    ),
  },
  { additionalProperties: false },
);
export type RegisterRequest = Static<typeof RegisterRequest>;

export const VerifyRequest = Type.Object(
  { ids: Type.Array(MeasurementId, { minItems: 1, maxItems: 1000 }) },
  { additionalProperties: false },
);

export const ExportFormat = Type.Enum(['folder', 'zip', 'bagit', 'ro-crate']);
export type ExportFormat = Static<typeof ExportFormat>;
export const ExportRequest = Type.Object(
  { directory: LocalPath, format: ExportFormat },
  { additionalProperties: false },
);

/**
 * Creates real files of a measurement (or of one of its files) that can be dragged out of the
 * window.
 */
export const StageRequest = Type.Object(
  { index: Type.Optional(Type.Integer({ minimum: 0 })) },
  { additionalProperties: false },
);
export const Staged = named('Staged', {
  path: Nullable(Type.String({ description: 'Ready now: the file or folder to drag' })),
  job: Nullable(Job),
});
export type Staged = Static<typeof Staged>;

export const IgnoreList = named('IgnoreList', {
  patterns: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200 }),
});

/** The current ignore list, and the default one to return to. */
export const IgnoreListState = named('IgnoreListState', {
  patterns: Type.Array(Type.String()),
  usual: Type.Array(Type.String()),
});
export type IgnoreListState = Static<typeof IgnoreListState>;

export const JobsQuery = Type.Object({ state: Type.Optional(Type.Enum(['active', 'ended'])) });
