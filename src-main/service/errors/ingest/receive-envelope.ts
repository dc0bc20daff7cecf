import type { Buffer } from 'node:buffer';
import { eventIdOf } from '../normalise/event-id.ts';
import { keyOfDsn } from './find-key.ts';
import { malformed } from '../normalise/ingest-failure.ts';
import type { IngestSlot } from './ingest-limits.ts';
import { maxEventBytes, maxSessionBytes } from '../normalise/ingest-sizes.ts';
import { readTime } from '../normalise/normalise-time.ts';
import type { SessionItem } from '../sessions/record-sessions.ts';
import { EnvelopeReader, type Fields } from './read-envelope.ts';
import type { RequestBody } from './request-body.ts';

/** The parts of an envelope that are stored or counted. */
export interface Envelope {
  readonly eventId: string | null;
  readonly sentAt: number | null;
  readonly sdk: unknown;
  /** The client key in the envelope's header. */
  readonly publicKey: string | null;
  readonly events: readonly Buffer[];
  readonly eventTooLarge: boolean;
  readonly sessions: readonly SessionItem[];
  /** Number of items that are not stored, by outcome. */
  readonly dropped: ReadonlyMap<string, number>;
}

const maxEvents = 10;
const maxSessions = 100;
/** For all sessions of an envelope together. */
const maxSessionsBytes = maxEventBytes;

/**
 * Reads the body of the `envelope` endpoint.
 *
 * @param knownKey the client key that the request itself names; null when it names none.
 * @throws IngestFailure 400 or 413.
 */
export async function receiveEnvelope(
  body: RequestBody,
  slot: IngestSlot,
  projectId: string,
  knownKey: string | null,
): Promise<Envelope> {
  let header: Fields = {};
  let publicKey: string | null = null;
  let eventTooLarge = false;
  const events: Buffer[] = [];
  const sessions: SessionItem[] = [];
  let sessionsBytes = 0;
  const dropped = new Map<string, number>();
  const drop = (outcome: string): void => void dropped.set(outcome, (dropped.get(outcome) ?? 0) + 1);

  const isFull = (type: 'event' | SessionItem['type']): boolean =>
    type === 'event' ? events.length >= maxEvents : sessions.length >= maxSessions || sessionsBytes >= maxSessionsBytes;

  const reader = new EnvelopeReader({
    header: (fields) => {
      header = fields;
      publicKey = keyOfDsn(fields['dsn'], projectId);
      if (knownKey !== null && publicKey !== null && publicKey !== knownKey)
        throw malformed('The envelope is of another client key than the request.');
    },
    wanted: (type) => (!isKept(type) || isFull(type) ? 0 : type === 'event' ? maxEventBytes : maxSessionBytes),
    kept: (bytes) => slot.hold(bytes),
    item: (type, payload) => {
      if (!isKept(type)) return drop(`item:${/^[a-z_]{1,40}$/.test(type) ? type : 'other'}`);
      if (isFull(type)) return drop('too-many-items');
      if (payload === null) {
        eventTooLarge ||= type === 'event';
        return drop('too-large');
      }
      if (type === 'event') events.push(payload);
      else {
        sessions.push({ type, body: payload });
        sessionsBytes += payload.length;
      }
      return undefined;
    },
  });
  for await (const chunk of body.chunks()) reader.write(chunk);
  reader.end();
  return {
    eventId: eventIdOf(header['event_id']),
    sentAt: readTime(header['sent_at']),
    sdk: header['sdk'],
    publicKey,
    events,
    eventTooLarge,
    sessions,
    dropped,
  };
}

function isKept(type: string): type is 'event' | SessionItem['type'] {
  return type === 'event' || type === 'session' || type === 'sessions';
}
