import { Type, type Static } from 'typebox';
import { ProjectRole } from './errors.ts';

/** What adds a project; without a name it gets the last part of its path. */
export const NewProject = Type.Object(
  { path: Type.String({ minLength: 1, maxLength: 255 }), name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })) },
  { additionalProperties: false },
);
export type NewProject = Static<typeof NewProject>;

export const ProjectChange = Type.Object(
  { name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })), monitor: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type ProjectChange = Static<typeof ProjectChange>;

export const NewRole = Type.Object({ role: ProjectRole }, { additionalProperties: false });

export const ProjectParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 800, description: 'Number of the project, or its path with each "/" written as %2F' }),
});
