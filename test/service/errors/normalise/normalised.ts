import { expect } from 'vitest';
import type { ErrorEvent } from '../../../../src-main/service/contract/errors.ts';
import { normaliseEvent, type EventContext } from '../../../../src-main/service/errors/normalise/normalise-event.ts';
import { parseEventJson } from '../../../../src-main/service/errors/normalise/event-json.ts';
import { prepareEvent } from '../../../../src-main/service/errors/events/prepare-event.ts';
import { compressEvent, unpackEvent } from '../../../../src-main/service/errors/store/stored-event.ts';

export const receivedAt = Date.UTC(2026, 10, 21, 12);
export const context: EventContext = { receivedAt, eventId: null, sentAt: null, sdk: null, address: '192.0.2.7' };

/** An event as it is stored. */
export const normalise = (payload: Readonly<Record<string, unknown>>, changes: Partial<EventContext> = {}) =>
  normaliseEvent(payload, { ...context, ...changes });

/** An event as it is read from this stored text. */
export function prepare(body: string): ErrorEvent {
  const event = prepareEvent(Buffer.from(body), context);
  if (!event) throw new Error('no event');
  expect(parseEventJson(Buffer.from(body))).toBeTypeOf('object');
  return unpackEvent(compressEvent(event.payload, null), null);
}
