import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from './common.ts';

export const SourceMapQuery = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Name of the generated file as frames give it, such as ~/assets/app.min.js',
  }),
  release: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Left out: for every release that has no map of its own',
    }),
  ),
  debug_id: Type.Optional(
    Type.String({ pattern: '^[0-9a-fA-F-]{32,36}$', description: 'Left out: the one in the map, if it has one' }),
  ),
});

/** Version 3 of the format (ECMA-426); further members are kept. */
export const SourceMapFile = Type.Object({
  version: Type.Literal(3),
  mappings: Type.String(),
  sources: Type.Array(Nullable(Type.String())),
  sourcesContent: Type.Optional(Type.Array(Nullable(Type.String()))),
  names: Type.Optional(Type.Array(Type.String())),
  sourceRoot: Type.Optional(Nullable(Type.String())),
  debug_id: Type.Optional(Type.String()),
  debugId: Type.Optional(Type.String()),
});
export type SourceMapFile = Static<typeof SourceMapFile>;

export const UploadedSourceMap = named('UploadedSourceMap', {
  id: Type.String(),
  name: Type.String(),
  release: Nullable(Type.String()),
  debug_id: Nullable(Type.String()),
  size: Type.Integer(),
  uploaded_at: Timestamp,
});
export type UploadedSourceMap = Static<typeof UploadedSourceMap>;

export const SourceMapIds = Type.Object(
  { ids: Type.Array(Type.String({ pattern: '^[0-9]{1,15}$' }), { minItems: 1, maxItems: 1000 }) },
  { additionalProperties: false },
);
