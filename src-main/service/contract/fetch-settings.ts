import { Type, type Static } from 'typebox';
import { named, Nullable } from './common.ts';

/**
 * Settings of fetching; the schedule has 168 hours from Monday 0 to 1 o'clock, local time, `1` for
 * hours in which it runs.
 */
export const FetchSettings = named(
  'FetchSettings',
  {
    at_most: Type.Integer({ minimum: 1, maximum: 16, description: 'Fetches at once' }),
    connections: Type.Integer({ minimum: 1, maximum: 16, description: 'Connections of one fetch' }),
    speed_limit: Nullable(Type.Integer({ minimum: 1024, description: 'Bytes per second over all fetches' })),
    schedule: Nullable(Type.String({ pattern: '^[01]{168}$' })),
    target: Nullable(Type.String({ minLength: 1, maxLength: 4096, description: 'Folder offered for the next fetch' })),
  },
  { additionalProperties: false },
);
export type FetchSettings = Static<typeof FetchSettings>;

/** A folder of this machine as a possible target of a fetch. */
export const FetchFolderQuery = Type.Object({
  path: Type.String({ minLength: 1, maxLength: 4096, description: 'Absolute path' }),
});
export const FetchFolder = named('FetchFolder', {
  path: Type.String(),
  exists: Type.Boolean(),
  writable: Type.Boolean(),
  free_bytes: Nullable(Type.Integer({ description: 'Null where the folder is not there' })),
});
export type FetchFolder = Static<typeof FetchFolder>;
