import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { decodeBody } from './decode-body.ts';
import { eventIdOf } from './event-id.ts';
import { keyOfDsn } from './find-key.ts';
import { malformed } from './ingest-failure.ts';
import type { IngestSlot } from './ingest-limits.ts';
import { bodyLimits, mostEventBytes, mostSessionBytes } from './ingest-sizes.ts';
import { readTime } from './normalise-time.ts';
import { EnvelopeReader, type Fields } from './read-envelope.ts';

/** What is of use in an envelope. */
export interface Envelope {
  readonly eventId: string | null;
  readonly sentAt: number | null;
  readonly sdk: unknown;
  /** The client key that the header names. */
  readonly publicKey: string | null;
  readonly events: readonly Buffer[];
  readonly eventTooLarge: boolean;
  readonly sessions: readonly { readonly type: 'session' | 'sessions'; readonly body: Buffer }[];
  /** What is only counted, by outcome. */
  readonly dropped: ReadonlyMap<string, number>;
}

const mostEvents = 10;
const mostSessions = 100;

/**
 * Reads the body of the `envelope` endpoint.
 *
 * @param knownKey the key that the request itself named.
 * @throws IngestFailure 400 or 413.
 */
export async function receiveEnvelope(request: IncomingMessage, slot: IngestSlot, projectId: string, knownKey: string | null): Promise<Envelope> {
  let header: Fields = {};
  let publicKey: string | null = null;
  let eventTooLarge = false;
  const events: Buffer[] = [];
  const sessions: { type: 'session' | 'sessions'; body: Buffer }[] = [];
  const dropped = new Map<string, number>();
  const drop = (outcome: string): void => void dropped.set(outcome, (dropped.get(outcome) ?? 0) + 1);

  const reader = new EnvelopeReader({
    header: (fields) => {
      header = fields;
      publicKey = keyOfDsn(fields['dsn'], projectId);
      if (knownKey !== null && publicKey !== null && publicKey !== knownKey) throw malformed('The envelope is of another client key than the request.');
    },
    wanted: (type) => (type === 'event' ? mostEventBytes : type === 'session' || type === 'sessions' ? mostSessionBytes : 0),
    kept: (bytes) => slot.hold(bytes),
    item: (type, payload) => {
      if (type !== 'event' && type !== 'session' && type !== 'sessions') return drop(`item:${/^[a-z_]{1,40}$/.test(type) ? type : 'other'}`);
      if (payload === null) {
        eventTooLarge ||= type === 'event';
        return drop('too-large');
      }
      if ((type === 'event' ? events.length : sessions.length) >= (type === 'event' ? mostEvents : mostSessions)) return drop('too-many-items');
      if (type === 'event') events.push(payload);
      else sessions.push({ type, body: payload });
      return undefined;
    },
  });
  const forget = await decodeBody(
    request,
    request.headers['content-encoding'],
    bodyLimits,
    (chunk) => reader.write(chunk),
    async (bytes) => slot.join(bytes),
  );
  slot.after(forget);
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
