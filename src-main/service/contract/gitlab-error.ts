import { Type } from 'typebox';
import { named } from './common.ts';

/**
 * An error in GitLab's shape: only `message`, or `error` with its description where OAuth defines
 * an error code.
 */
export const GitlabError = named('GitlabError', {
  message: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  error_description: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  type: Type.Optional(Type.String({ description: 'Reason of a refusal (403), as in problem details' })),
});
