import type { AuditStores } from '../../audit/stores.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import type { MeasurementStores } from '../store/stores.ts';

export interface VerifyDeps extends MeasurementStores, Pick<AuditStores, 'audit'> {
  readonly objectStorage: ObjectStorage | null;
  readonly paths: DataPaths;
  readonly events: Events;
  readonly changes: ChangeCounter;
}
