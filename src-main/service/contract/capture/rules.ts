import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from '../common.ts';
import { CaptureCounts } from './runs.ts';

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

/** `unreachable`: its folder cannot be read, and nothing is concluded from what is not seen. */
export const CaptureRuleState = Type.Enum(['starting', 'watching', 'paused', 'unreachable']);
export type CaptureRuleState = Static<typeof CaptureRuleState>;

export const CaptureRule = named('CaptureRule', {
  id: Type.Integer(),
  ...settings,
  push_server: Nullable(Type.String({ description: 'Name of the server' })),
  state: CaptureRuleState,
  message: Nullable(Type.String({ description: 'Why it is unreachable' })),
  since: Timestamp,
  looked_at: Nullable(Timestamp),
  look_every_seconds: Nullable(Type.Number({ description: 'At present; large folders are read less often' })),
  counts: CaptureCounts,
  created_at: Timestamp,
});
export type CaptureRule = Static<typeof CaptureRule>;
export const CaptureRules = Type.Array(CaptureRule, { $id: 'CaptureRules' });

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
export const CaptureChoices = named('CaptureChoices', {
  presets: Type.Array(Preset),
  layouts: Type.Array(
    Type.Object({ layout: Type.String(), owner: Nullable(Type.String({ description: 'Template that fits it' })) }),
  ),
});
export type CaptureChoices = Static<typeof CaptureChoices>;
