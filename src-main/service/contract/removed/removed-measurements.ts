import { Type, type Static } from 'typebox';
import { MeasurementId, named, Nullable, PageQuery, Timestamp } from '../common.ts';

/** A measurement that was removed and can be restored. */
export const RemovedMeasurement = named('RemovedMeasurement', {
  id: Type.Integer({ description: 'Number of the removal' }),
  measurement_id: MeasurementId,
  title: Type.String(),
  storage: Type.Enum(['reference', 'library', 'object_storage'], {
    description: 'Where its files lie. Only those in the library and the object storage take space of the service.',
  }),
  owner: Type.Object({ id: Type.Integer(), username: Type.String(), name: Type.String() }),
  file_count: Type.Integer(),
  total_bytes: Type.Integer({
    description: 'Counts against the quota of its owner until it is removed for good, except for a reference',
  }),
  removed_at: Timestamp,
  removed_by: Nullable(Type.String({ description: 'User name; null for the command line' })),
  restorable_until: Timestamp,
});
export type RemovedMeasurement = Static<typeof RemovedMeasurement>;

export const RemovedMeasurementQuery = Type.Object({
  ...PageQuery.properties,
  measurement_id: Type.Optional(MeasurementId),
});

export const RemovedMeasurementParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Number of the removal' }),
});
