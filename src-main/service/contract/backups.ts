import { Type, type Static } from 'typebox';
import { LocalPath, named, Nullable, Timestamp } from './common.ts';

/** Automatic backups. */
export const BackupSchedule = named(
  'BackupSchedule',
  {
    folder: LocalPath,
    every: Type.Enum(['day', 'week']),
    keep: Type.Integer({ minimum: 1, maximum: 365, description: 'Older ones that it made are removed' }),
  },
  { additionalProperties: false },
);
export type BackupSchedule = Static<typeof BackupSchedule>;

const forWindow = 'Only for the owner at the machine';

/** Times and places of backups. Paths are shown only to the owner at the machine. */
export const BackupState = named('BackupState', {
  last: Nullable(
    Type.Object({
      made_at: Timestamp,
      file: Nullable(Type.String({ description: forWindow })),
      bytes: Type.Integer(),
      measurements: Type.Integer(),
      left_out: Type.Integer({
        description: 'Files of the library that are not in it, because they are missing or damaged',
      }),
      there: Nullable(Type.Boolean({ description: `Whether the file is still where it was written. ${forWindow}` })),
    }),
  ),
  failed: Nullable(
    Type.Object(
      { at: Timestamp, reason: Type.String() },
      { description: 'Why the last one was not written, while none was written since' },
    ),
  ),
  schedule: Nullable(
    Type.Object({
      folder: Nullable(Type.String({ description: forWindow })),
      every: Type.Enum(['day', 'week']),
      keep: Type.Integer(),
      next_at: Timestamp,
    }),
  ),
  moved: Nullable(
    Type.Object(
      {
        moved_at: Timestamp,
        from: Nullable(Type.String({ description: `The old data directory, while it is still there. ${forWindow}` })),
      },
      { description: 'Where the data directory was moved from' },
    ),
  ),
  move_failed: Nullable(
    Type.Object({ at: Timestamp, reason: Type.String() }, { description: `Why the data were not moved. ${forWindow}` }),
  ),
  restored: Nullable(
    Type.Object(
      {
        restored_at: Timestamp,
        as_of: Timestamp,
        before: Nullable(Type.String({ description: `Where the data from before lie. ${forWindow}` })),
      },
      { description: 'The backup that these data were restored from' },
    ),
  ),
});
export type BackupState = Static<typeof BackupState>;

export const BackupRequest = Type.Object({ file: LocalPath }, { additionalProperties: false });
export const RestoreRequest = Type.Object({ file: LocalPath }, { additionalProperties: false });
export const MoveRequest = Type.Object({ to: LocalPath }, { additionalProperties: false });
export const BackupScheduleRequest = Type.Object(
  { schedule: Nullable(BackupSchedule) },
  { additionalProperties: false },
);

/** The content of a backup, before anything is restored. */
export const BackupPreview = named('BackupPreview', {
  file: Type.String(),
  made_at: Timestamp,
  program_version: Type.String(),
  bytes: Type.Integer(),
  measurements: Type.Integer(),
  library_files: Type.Integer(),
  users: Nullable(Type.Integer({ description: 'Null in backups that do not tell' })),
});
export type BackupPreview = Static<typeof BackupPreview>;
