import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from '../common.ts';
import { NotificationKind } from './notifications.ts';

const Id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Something that has happened, of those that rules can tell of. */
export const Happening = named('Happening', {
  id: Type.Integer(),
  at: Timestamp,
  kind: NotificationKind,
  subject: Type.String({ description: 'Kind and id of what it is about, such as error:17' }),
  title: Type.String(),
  measurement_id: Nullable(Type.String()),
  project_id: Nullable(Type.Integer()),
  project_path: Nullable(Type.String()),
  seen: Type.Boolean({ description: 'Whether the user has marked it, or a later one, as seen' }),
});
export type Happening = Static<typeof Happening>;
export const Happenings = Type.Array(Happening, { $id: 'Happenings' });
export type Happenings = Static<typeof Happenings>;

export const HappeningQuery = Type.Object({
  after: Type.Optional(Type.Integer({ ...Id, description: 'Only those with a larger id' })),
  before: Type.Optional(Type.Integer({ ...Id, description: 'Only those with a smaller id' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 when left out' })),
});

/** Up to which happening a user has seen what happened, and since when errors count as new. */
export const HappeningsSeen = Type.Object(
  {
    until: Type.Optional(Type.Integer({ ...Id, description: 'The newest happening that was seen' })),
    errors_until: Type.Optional(
      Type.Integer({ ...Id, description: 'The newest happening when errors were looked at' }),
    ),
  },
  { $id: 'HappeningsSeen', additionalProperties: false, minProperties: 1 },
);
export type HappeningsSeen = Static<typeof HappeningsSeen>;

const upTo100 = (description: string) =>
  Type.Integer({ maximum: 100, description: `${description}; 100 is 100 or more` });

/** Counts of things to look at, shown beside the names of screens. */
export const HappeningCounts = named('HappeningCounts', {
  unseen: upTo100('Happenings that were not marked as seen, without registrations and verified copies'),
  errors: upTo100('Unresolved errors that came, or came back, since the user last looked at errors'),
  degraded: Type.Integer({ description: 'Measurements with files that are not as registered' }),
  stuck: Type.Integer({ description: 'Runs in watched folders that need a decision; 0 for who is no administrator' }),
  newest: Type.Integer({ description: 'The id of the newest happening for the user; 0 without any' }),
});
export type HappeningCounts = Static<typeof HappeningCounts>;
