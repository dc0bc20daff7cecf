import type { FileFault } from '../storage/file-faults.ts';
import type { FileRow } from '../store/files-store.ts';
import { recordChecks } from './record-checks.ts';
import type { Logger } from 'pino';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';

type Needs = Pick<MeasurementStores, 'measurements' | 'files' | 'unchecked'> &
  Pick<AuditStores, 'audit'> & { readonly log: Logger; readonly events: Events; readonly changes: ChangeCounter };

/**
 * Records that a file is not as registered: its state, the measurement's, and one line in the audit trail when it is news. One of which that is not known is
 * compared first.
 */
export async function markFault(needs: Needs, measurementId: string, fault: FileFault): Promise<void> {
  const { state } = fault;
  if (state === 'unchecked') return needs.unchecked.ask(measurementId, fault.index);
  const row = await needs.files.at(measurementId, fault.index);
  if (!row || (row.state === state && row.problem === fault.message)) return;
  await recordChecks(needs, measurementId, [{ index: fault.index, state, problem: fault.message, at: Date.now() }]);
  needs.changes.bump();
  await needs.audit.record({
    userId: null,
    action: 'measurement.degraded',
    subject: `measurement:${measurementId}`,
    detail: `file ${fault.index} (${fault.filePath}): ${fault.message}`,
  });
  needs.events.emit('changed', { topic: 'measurements', id: measurementId });
  needs.log.warn({ measurement: measurementId, file: fault.index, problem: fault.message }, 'a registered file is not as registered');
}

/** A file that was missing or unreadable is there again, with its size and time. What was altered stays so until it is verified. */
export async function markFound(needs: Needs, file: FileRow): Promise<void> {
  await needs.files.recordChecks(file.measurement_id, [{ index: file.idx, state: 'ok', problem: null, at: Date.now() }]);
  needs.changes.bump();
  await needs.audit.record({
    userId: null,
    action: 'measurement.restored',
    subject: `measurement:${file.measurement_id}`,
    detail: `file ${file.idx} (${file.path}) is there again`,
  });
  needs.events.emit('changed', { topic: 'measurements', id: file.measurement_id });
}
