import { Type, type Static } from 'typebox';
import { named, Timestamp } from './common.ts';
import { ErrorChange, ErrorStatus } from './errors.ts';
import { ProjectParams } from './projects.ts';

export const ErrorParams = Type.Object({
  ...ProjectParams.properties,
  error_id: Type.String({ pattern: '^[0-9]{1,20}$', description: 'Number of the error' }),
});

export const ErrorEventParams = Type.Object({
  ...ErrorParams.properties,
  event_id: Type.String({
    maxLength: 36,
    description: '`latest`, `oldest`, or the id of an event: 32 hexadecimal digits, with dashes or without',
  }),
});

export const ErrorIds = Type.Object({ ids: ErrorChange.properties.ids }, { additionalProperties: false });

export const MergeErrors = Type.Object(
  {
    ids: Type.Array(Type.String({ pattern: '^[0-9]{1,15}$' }), {
      minItems: 2,
      maxItems: 100,
      description: 'The one that was first seen is left',
    }),
  },
  { additionalProperties: false },
);

/** The error that remains of a merge, and the merged ones: the groups of one separate it again. */
export const Merged = Type.Object({
  id: Type.String({ description: 'Number of the error that is left' }),
  before: Type.Array(Type.Object({ id: Type.String(), status: ErrorStatus, groups: Type.Array(Type.String()) }), {
    description: 'The errors as they were, the one that is left first',
  }),
});
export type Merged = Static<typeof Merged>;

export const UnmergeGroups = Type.Object(
  { groups: Type.Array(Type.String({ pattern: '^[0-9]{1,15}$' }), { minItems: 1, maxItems: 100 }) },
  { additionalProperties: false },
);

/** Received events by hour, and the events that were not stored, by reason. */
export const Intake = named('Intake', {
  hours: Type.Array(
    Type.Object({
      hour: Timestamp,
      accepted: Type.Integer(),
      dropped: Type.Record(Type.String(), Type.Integer(), {
        description: 'By reason; "item:TYPE" counts items that are not stored',
      }),
    }),
    { description: 'The last 24 hours, the oldest first' },
  ),
  limit_per_second: Type.Integer({ description: 'Events that a client key may send each second for ever' }),
});
export type Intake = Static<typeof Intake>;
