import { Type, type Static } from 'typebox';
import { named } from './common.ts';

/** One file of a diagnostics bundle. */
export const DiagnosticsPart = named('DiagnosticsPart', {
  name: Type.String(),
  about: Type.String({ description: 'What it is, in words' }),
  text: Type.String(),
});
export type DiagnosticsPart = Static<typeof DiagnosticsPart>;
