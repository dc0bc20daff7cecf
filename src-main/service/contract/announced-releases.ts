import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from './common.ts';

const Url = Nullable(Type.String());

const ReleaseDeploy = Type.Object({
  environment: Type.String(),
  name: Nullable(Type.String()),
  url: Url,
  finished_at: Timestamp,
});

/** A release that a build tool announced, with its deployments. */
export const AnnouncedRelease = named('AnnouncedRelease', {
  version: Type.String(),
  url: Url,
  archived: Type.Boolean(),
  announced_at: Timestamp,
  released_at: Nullable(Timestamp),
  source_maps: Type.Integer({ description: 'How many are kept for it' }),
  deploy_count: Type.Integer(),
  deploys: Type.Array(ReleaseDeploy, { description: 'The last five, the newest first' }),
});
export type AnnouncedRelease = Static<typeof AnnouncedRelease>;
