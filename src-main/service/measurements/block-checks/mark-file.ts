import { ObjectFault, type FileFault } from '../storage/file-errors.ts';
import type { FileRow } from '../store/files-store.ts';
import { recordChecks } from './record-checks.ts';
import type { Logger } from 'pino';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';

type Deps = Pick<MeasurementStores, 'measurements' | 'files' | 'unchecked'> &
  Pick<AuditStores, 'audit'> & { readonly log: Logger; readonly events: Events; readonly changes: ChangeCounter };

/**
 * Records that a file is not as registered: its state, the measurement's state, and an audit row if
 * the finding is new. An `unchecked` file is queued for comparison instead.
 */
export async function markFault(deps: Deps, measurementId: string, fault: FileFault): Promise<void> {
  const { state } = fault;
  if (state === 'unchecked') return deps.unchecked.enqueue(measurementId, fault.index);
  const row = await deps.files.at(measurementId, fault.index);
  // A download that began before the file moved into the object storage looked in the library.
  if (row?.location === '' && !(fault instanceof ObjectFault)) return;
  if (!row || (row.state === state && row.problem === fault.message)) return;
  await recordChecks(deps, measurementId, [{ index: fault.index, state, problem: fault.message, at: Date.now() }]);
  deps.changes.bump();
  await deps.audit.record({
    userId: null,
    action: 'measurement.degraded',
    subject: `measurement:${measurementId}`,
    detail: `file ${fault.index} (${fault.filePath}): ${fault.message}`,
  });
  deps.events.emit('changed', { topic: 'measurements', id: measurementId });
  deps.log.warn(
    { measurement: measurementId, file: fault.index, problem: fault.message },
    'a registered file is not as registered',
  );
}

/**
 * Records that a missing or unreadable file is available again with its size and time. An altered
 * file stays altered until it is verified.
 */
export async function markFound(deps: Deps, file: FileRow): Promise<void> {
  await deps.files.recordChecks(file.measurement_id, [{ index: file.idx, state: 'ok', problem: null, at: Date.now() }]);
  deps.changes.bump();
  await deps.audit.record({
    userId: null,
    action: 'measurement.restored',
    subject: `measurement:${file.measurement_id}`,
    detail: `file ${file.idx} (${file.path}) is there again`,
  });
  deps.events.emit('changed', { topic: 'measurements', id: file.measurement_id });
}
