import type { Buffer } from 'node:buffer';
import type { ErrorEvent } from '../../contract/errors.ts';
import { groupingKey } from '../grouping/grouping-key.ts';
import { culpritOf, titleOf } from '../grouping/title.ts';
import { malformed } from '../normalise/ingest-failure.ts';
import { normaliseEvent, type EventContext } from '../normalise/normalise-event.ts';
import { isClean, Normaliser, outputBudget } from '../normalise/normalise-values.ts';
import { asRecord, parseLargeIntegers, decodeJson } from '../normalise/event-json.ts';
import { searchableTags } from './searchable-tags.ts';

/**
 * An event ready for the database, made from nothing but its bytes so that a worker can do it.
 *
 * `Payload` is the stored form: the event itself, or from the worker its JSON, or compressed as in
 * stored-event.ts. The store compresses the first two, because uncompressed events waiting for the
 * disk would fill the memory.
 */
export interface PreparedEvent<Payload = ErrorEvent | string | Uint8Array> {
  readonly eventId: string;
  readonly receivedAt: number;
  readonly occurredAt: number;
  readonly level: string;
  readonly platform: string;
  readonly environment: string | null;
  readonly release: string | null;
  readonly type: string;
  readonly value: string;
  readonly culprit: string;
  readonly group: { readonly version: number; readonly hash: Uint8Array };
  readonly tags: readonly (readonly [string, string])[];
  /** Identity of the affected user, prefixed with its kind. */
  readonly user: string | null;
  payload: Payload;
}

type SentPayload = Readonly<Record<string, unknown>>;

/**
 * Reads the payload of an event.
 *
 * @returns null for a transaction, which is only counted.
 * @throws IngestFailure 400 when the body is not a JSON object.
 */
export function prepareEvent(body: Buffer, context: EventContext): PreparedEvent<ErrorEvent> | null {
  const text = decodeJson(body);
  const payload = readPayload(text, JSON.parse);
  if (payload['type'] === 'transaction') return null;
  const event = normalised(text, payload, context);
  const { version, hash } = groupingKey(event);
  const title = titleOf(event);
  return {
    eventId: event.event_id,
    receivedAt: context.receivedAt,
    occurredAt: Date.parse(event.occurred_at),
    level: event.level,
    platform: event.platform,
    environment: event.environment,
    release: event.release,
    type: title.type,
    value: title.value,
    culprit: culpritOf(event),
    group: { version, hash },
    tags: searchableTags(event),
    user: identityOf(event.user),
    payload: event,
  };
}

function normalised(text: string, payload: SentPayload, context: EventContext): ErrorEvent {
  const maxCharacters = outputBudget(text.length);
  const normaliser = new Normaliser(isClean(text), maxCharacters);
  const event = normaliseEvent(payload, context, normaliser);
  // Checking every text for long numbers would take longer than parsing the few events that have
  // any a second time.
  return normaliser.inexact
    ? normaliseEvent(readPayload(text, parseLargeIntegers), context, new Normaliser(false, maxCharacters))
    : event;
}

function readPayload(text: string, parse: (text: string) => unknown): SentPayload {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw malformed('The event is not JSON.', error);
  }
  const payload = asRecord(value);
  if (!payload) throw malformed('The event is not an object.');
  return payload;
}

/**
 * Users are distinct by id, else user name, e-mail, address (product reference: error tracking,
 * users affected).
 */
function identityOf(user: ErrorEvent['user']): string | null {
  if (user === null) return null;
  if (user.id !== null) return `id:${user.id}`;
  if (user.username !== null) return `username:${user.username}`;
  if (user.email !== null) return `email:${user.email}`;
  return user.ip_address === null ? null : `ip:${user.ip_address}`;
}
