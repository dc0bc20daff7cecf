import type { Transaction } from '../../database/port/database.ts';
import { tell } from '../../notifications/store/outbox.ts';
import type { PreparedEvent } from './prepare-event.ts';

/** Has a new or returned error told, in the transaction that stores its event. */
export function* tellOfError(
  change: 'new' | 'regressed',
  projectId: number,
  errorId: number,
  { type, value }: Pick<PreparedEvent, 'type' | 'value'>,
): Transaction<void> {
  yield* tell({
    kind: change === 'new' ? 'error-new' : 'error-regressed',
    subject: `error:${errorId}`,
    measurement_id: null,
    project_id: projectId,
    title: [type, value].filter((part) => part !== '').join(': '),
  });
}
