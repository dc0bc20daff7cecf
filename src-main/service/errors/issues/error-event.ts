import type { ErrorEventPage } from '../../contract/errors.ts';
import { HttpProblem } from '../../common/problem.ts';
import { findError } from './error-detail.ts';
import { eventIdOf } from '../normalise/event-id.ts';
import { unpackEvent } from '../store/stored-event.ts';
import type { ErrorStores } from '../store/stores.ts';

/**
 * Returns one event of an error with its neighbours, in the order in which they were received.
 *
 * @param which `latest`, `oldest`, or an event's id with or without dashes.
 * @throws HttpProblem 404 when there is no such event, or no such error.
 */
export async function errorEvent(
  deps: Pick<ErrorStores, 'errorDetails' | 'errorEventList'>,
  projectId: number,
  errorId: string,
  which: string,
): Promise<ErrorEventPage> {
  const { id } = await findError(deps, projectId, errorId);
  const store = deps.errorEventList;
  const eventId = eventIdOf(which);
  const row =
    which === 'latest'
      ? await store.latest(id)
      : which === 'oldest'
        ? await store.oldest(id)
        : eventId === null
          ? null
          : await store.byEventId(projectId, id, Buffer.from(eventId, 'hex'));
  if (!row)
    throw new HttpProblem(404, 'This error has no such event. Events are removed after some time; the counts stay.');
  const { previous, next } = await store.neighbours(id, row.id);
  return {
    event: unpackEvent(row.payload, row.sample),
    previous: previous?.toString('hex') ?? null,
    next: next?.toString('hex') ?? null,
    ...(await store.position(id, row.id)),
  };
}
