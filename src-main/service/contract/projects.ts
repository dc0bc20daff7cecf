import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from './common.ts';

const ProjectRole = Type.Enum(['reporter', 'developer', 'maintainer', 'owner']);

/** A project with the caller's rights in it. */
export const Project = named('Project', {
  id: Type.Integer(),
  path: Type.String(),
  path_with_namespace: Type.String({ description: 'The same, where GitLab has it' }),
  name: Type.String(),
  monitor: Type.Boolean({ description: 'Whether the project has the Monitor screens' }),
  role: Nullable(ProjectRole),
  may_manage: Type.Boolean(),
  error_tracking: Type.Object({ active: Type.Boolean(), integrated: Type.Boolean(), unresolved: Type.Integer() }),
  created_at: Timestamp,
});
export type Project = Static<typeof Project>;

export const ProjectMember = named('ProjectMember', {
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  role: ProjectRole,
  access_level: Type.Integer({ description: 'GitLab: 20 reporter, 30 developer, 40 maintainer, 50 owner' }),
  state: Type.Enum(['active', 'blocked']),
  avatar_url: Type.Null(),
  web_url: Type.String(),
  expires_at: Type.Null(),
});
export type ProjectMember = Static<typeof ProjectMember>;

/** A new project; without a name it gets the last part of its path. */
export const NewProject = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 255 }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })),
  },
  { additionalProperties: false },
);
export type NewProject = Static<typeof NewProject>;

export const ProjectChange = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })),
    monitor: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type ProjectChange = Static<typeof ProjectChange>;

export const NewRole = Type.Object({ role: ProjectRole }, { additionalProperties: false });

export const ProjectParams = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 800,
    description: 'Number of the project, or its path with each "/" written as %2F',
  }),
});

/** Maximum retention of events (specification, Limits). */
export const maxRetentionDays = 90;

const settings = {
  active: Type.Boolean(),
  integrated: Type.Boolean({ description: 'Errors are kept here; otherwise on the server of api_url' }),
  api_url: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'https://HOST/api/0/projects/ORGANIZATION/PROJECT' }),
  ),
  token: Type.Optional(
    Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
      description: 'Never answered; left out or all asterisks: as it is',
    }),
  ),
  project_name: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
  organization_name: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
  retention_days: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: maxRetentionDays }), Type.Null()])),
  most_events: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 100_000_000 }), Type.Null()], {
      description: 'Events stored at most; the oldest of the most frequent errors go',
    }),
  ),
  max_bytes: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1024 * 1024, maximum: 2 ** 50 }), Type.Null()], {
      description:
        'Maximum bytes of stored events, 4 GiB by default; beyond it the oldest events of the largest errors are removed',
    }),
  ),
};

export const ErrorSettingsChange = Type.Object(
  { ...settings, integrated: Type.Optional(settings.integrated) },
  { additionalProperties: false },
);
export type ErrorSettingsChange = Static<typeof ErrorSettingsChange>;

/** GitLab's PUT requires both switches. */
export const ErrorSettingsReplacement = Type.Object(settings, { additionalProperties: false });
