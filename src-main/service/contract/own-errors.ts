import { Type, type Static } from 'typebox';
import { named, Nullable } from './common.ts';

/** Whether Benchport records its own errors in a project of its own error tracking. */
export const OwnErrorsState = named('OwnErrorsState', {
  on: Type.Boolean(),
  project: Nullable(
    Type.Object(
      { id: Type.Integer(), path: Type.String() },
      { description: 'Where they go; null while they are off, or where the project is gone or takes none' },
    ),
  ),
});
export type OwnErrorsState = Static<typeof OwnErrorsState>;

export const OwnErrorsChange = Type.Object({ on: Type.Boolean() }, { additionalProperties: false });

/** An error of the window, reported by the window's main process or its page. */
export const WindowError = named(
  'WindowError',
  {
    part: Type.Enum(['window', 'page']),
    level: Type.Enum(['error', 'fatal']),
    type: Type.String({ maxLength: 200 }),
    message: Type.String({ maxLength: 2000 }),
    stack: Nullable(Type.String({ maxLength: 20_000 })),
    during: Type.String({ maxLength: 200 }),
  },
  { additionalProperties: false },
);
export type WindowError = Static<typeof WindowError>;
