import { Type, type Static } from 'typebox';
import { MeasurementId, Nullable, Timestamp } from '../common.ts';

const Glob = Type.String({ minLength: 1, maxLength: 200 });
const Template = Type.String({ minLength: 1, maxLength: 300 });

/** How it is known which instrument writes; each preset sets the other fields. */
export const CapturePreset = Type.Enum(['generic', 'illumina', 'illumina-miseq', 'nanopore', 'bruker', 'thermo']);
export type CapturePreset = Static<typeof CapturePreset>;

/**
 * `folder`: each folder is a run; `file`: each file; `files`: the files that share the `{name}` of
 * the pattern.
 */
export const CaptureUnit = Type.Enum(['folder', 'file', 'files']);
export type CaptureUnit = Static<typeof CaptureUnit>;

/**
 * `marker`: the files named by the markers are there; `moved-in`: it was moved here, complete;
 * `quiet`: nothing changes for some minutes.
 */
export const CaptureSign = Type.Enum(['marker', 'moved-in', 'quiet']);
export type CaptureSign = Static<typeof CaptureSign>;

/** A value for templates, read from a small text, JSON or XML file of the run. */
export const CaptureField = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
    from: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Name or pattern of the file, relative to the run',
    }),
    key: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Key of a line, name of an XML element or attribute, or path in JSON, separated by dots',
    }),
  },
  { additionalProperties: false },
);
export type CaptureField = Static<typeof CaptureField>;

const settings = {
  name: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$',
    description: 'By which commands and templates know the rule',
  }),
  folder: Type.String({ minLength: 1, maxLength: 4096, description: 'Absolute path of the watched folder' }),
  unit: CaptureUnit,
  layout: Type.String({
    minLength: 1,
    maxLength: 300,
    default: '{name}',
    description:
      'Levels of folders below the watched one, for example {user}/{project}/{name}; the last level is the run, and each level gives a field to templates',
  }),
  pattern: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Names of runs that are files: a pattern such as *.raw, or one with {name} for files that share it',
    }),
  ),
  sign: CaptureSign,
  markers: Type.Array(Glob, { maxItems: 10, description: 'All of them must be there; relative to the run' }),
  unfinished: Type.Array(Glob, {
    maxItems: 20,
    description: 'As long as one of these is there, the run is not complete; relative to the run',
  }),
  minutes: Type.Number({
    minimum: 0,
    maximum: 10_080,
    description: 'For how long nothing must change, after the markers or altogether',
  }),
  ignore: Type.Array(Glob, {
    maxItems: 100,
    description: 'Names of files, or of folders with / at the end, that are neither watched nor registered',
  }),
  id_template: Template,
  title_template: Template,
  fields: Type.Array(CaptureField, { maxItems: 20 }),
  owner: Type.String({ minLength: 1, maxLength: 300, description: 'User name, or a template such as {user}' }),
  project: Nullable(Template),
  readers: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 100,
    description: 'User names that may read each run; * for everyone with an account',
  }),
  notify: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: 20,
    description:
      'User names that are told of each registered run besides its owner, and of runs that need a person besides administrators',
  }),
  copy: Type.Boolean({ description: 'Whether files are copied into the library, instead of left where they are' }),
  push_to: Nullable(Type.Integer({ minimum: 1, description: 'Server on which a verified copy is kept' })),
  push_project: Nullable(Template),
  existing: Type.Boolean({ description: 'Whether runs that were there before the rule are registered too' }),
};

/** A rule by which runs in a folder are registered. */
export const CaptureRuleInput = Type.Object(settings, { $id: 'CaptureRuleInput', additionalProperties: false });
export type CaptureRuleInput = Static<typeof CaptureRuleInput>;

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

const Counts = Type.Object({
  all: Type.Integer(),
  needs_you: Type.Integer({ description: 'Those that need a decision, before or after their registration' }),
  waiting: Type.Integer(),
  done: Type.Integer(),
  skipped: Type.Integer(),
});
export type CaptureCounts = Static<typeof Counts>;

/** `unreachable`: its folder cannot be read, and nothing is concluded from what is not seen. */
export const CaptureRuleState = Type.Enum(['starting', 'watching', 'paused', 'unreachable']);
export type CaptureRuleState = Static<typeof CaptureRuleState>;

export const CaptureRule = Type.Object(
  {
    id: Type.Integer(),
    ...settings,
    push_server: Nullable(Type.String({ description: 'Name of the server' })),
    state: CaptureRuleState,
    message: Nullable(Type.String({ description: 'Why it is unreachable' })),
    since: Timestamp,
    looked_at: Nullable(Timestamp),
    look_every_seconds: Nullable(Type.Number({ description: 'At present; large folders are read less often' })),
    counts: Counts,
    created_at: Timestamp,
  },
  { $id: 'CaptureRule', title: 'CaptureRule' },
);
export type CaptureRule = Static<typeof CaptureRule>;
export const CaptureRules = Type.Array(CaptureRule, { $id: 'CaptureRules' });

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

export const CaptureRun = Type.Object(
  {
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
  },
  { $id: 'CaptureRun', title: 'CaptureRun' },
);
export type CaptureRun = Static<typeof CaptureRun>;

export const CaptureRunQuery = Type.Object({
  rule_id: Type.Optional(Type.Integer({ minimum: 1 })),
  filter: Type.Optional(CaptureFilter),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});
export const CaptureRunPage = Type.Object(
  { items: Type.Array(CaptureRun), total: Type.Integer(), counts: Counts },
  { $id: 'CaptureRunPage', title: 'CaptureRunPage' },
);
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
export const CaptureTrial = Type.Object(
  {
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
  },
  { $id: 'CaptureTrial', title: 'CaptureTrial' },
);
export type CaptureTrial = Static<typeof CaptureTrial>;

/** A preset with the fields of a rule that it sets. */
const Preset = Type.Object({
  preset: CapturePreset,
  name: Type.String(),
  explanation: Type.String({ description: 'Which sign it waits for, and why' }),
  unit: CaptureUnit,
  layout: Type.String(),
  pattern: Nullable(Type.String()),
  sign: CaptureSign,
  markers: Type.Array(Type.String()),
  unfinished: Type.Array(Type.String()),
  minutes: Type.Number(),
  ignore: Type.Array(Type.String()),
});

/** Presets by instrument, and the layouts of folders that facilities use. */
export const CaptureChoices = Type.Object(
  {
    presets: Type.Array(Preset),
    layouts: Type.Array(
      Type.Object({ layout: Type.String(), owner: Nullable(Type.String({ description: 'Template that fits it' })) }),
    ),
  },
  { $id: 'CaptureChoices', title: 'CaptureChoices' },
);
export type CaptureChoices = Static<typeof CaptureChoices>;
