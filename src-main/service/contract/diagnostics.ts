import { Type, type Static } from 'typebox';

/** One file of a diagnostics bundle. */
export const DiagnosticsPart = Type.Object(
  { name: Type.String(), about: Type.String({ description: 'What it is, in words' }), text: Type.String() },
  { $id: 'DiagnosticsPart', title: 'DiagnosticsPart' },
);
export type DiagnosticsPart = Static<typeof DiagnosticsPart>;
