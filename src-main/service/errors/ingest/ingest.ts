import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { temporaryFailure } from '../../database/engines/database-failures.ts';
import type { KnownClientKey } from '../store/client-keys-store.ts';
import type { DropCounts } from '../store/count-drops.ts';
import type { EventsStore, StoredEvent } from '../store/events-store.ts';
import { eventIdOf } from '../normalise/event-id.ts';
import { findCredential } from './find-key.ts';
import { databaseLocked, diskAlmostFull, IngestFailure, malformed, tooLarge } from '../normalise/ingest-failure.ts';
import type { IngestLimits, IngestSlot } from './ingest-limits.ts';
import { bodyLimits, maxEventBytes } from '../normalise/ingest-sizes.ts';
import type { EventContext } from '../normalise/normalise-event.ts';
import type { LimitedLog } from '../../logging/limited-log.ts';
import type { PreparedEvent } from '../events/prepare-event.ts';
import type { RequestBatches } from '../events/request-batches.ts';
import { receiveEnvelope, type Envelope } from './receive-envelope.ts';
import { receiveStore } from './receive-store.ts';
import { RequestBody } from './request-body.ts';
import type { SessionRecorder } from '../sessions/record-sessions.ts';

export interface IngestDeps {
  readonly log: Logger;
  /** Rate-limited log for refusals, which anyone on the network can cause. */
  readonly logRefusal: LimitedLog;
  readonly clientKeys: { byPublicKey(key: string): Promise<KnownClientKey | null> };
  readonly limits: IngestLimits;
  readonly batches: RequestBatches;
  /** Tells whether the disk has room for rows. */
  readonly diskSpace: { readonly lowForRows: boolean };
  readonly drops: DropCounts;
  readonly events: EventsStore;
  readonly sessions: SessionRecorder;
  readonly prepare: (body: Buffer, context: EventContext) => Promise<PreparedEvent | null>;
  readonly hashUser: (projectId: number, identity: string | null) => Buffer | null;
  readonly announce: (projectId: number, event: PreparedEvent, stored: StoredEvent) => Promise<void>;
}

/** A request of an SDK. Its address identifies the user if the event asks for that (`{{auto}}`). */
export interface IngestRequest {
  readonly raw: IncomingMessage;
  readonly url: string;
  readonly projectId: string;
  readonly address: string;
}

type Sender = Pick<KnownClientKey, 'id' | 'projectId'>;
type About = Pick<EventContext, 'eventId' | 'sentAt' | 'sdk'>;

/**
 * Stores one event.
 *
 * @returns the event's id once it is on disk.
 * @throws IngestFailure with the response for the sender.
 */
export async function ingestStore(deps: IngestDeps, request: IngestRequest): Promise<string | null> {
  const credential = findCredential(request.url, request.raw.headers);
  if (!credential) throw malformed('The request names no client key.');
  const sender = await admit(deps, credential.publicKey, request.projectId);
  const [name, version] = credential.client?.split('/') ?? [];
  return withBody(deps, request, sender, async (body, slot) => {
    const event = await receiveStore(body, slot);
    return storeEvent(deps, sender, request, event, { eventId: null, sentAt: null, sdk: { name, version } });
  });
}

/**
 * Stores the events and sessions of an envelope and counts its other items.
 *
 * @returns the id of its first event, or the id in its header, once everything is on disk.
 * @throws IngestFailure with the response for the sender.
 */
export async function ingestEnvelope(deps: IngestDeps, request: IngestRequest): Promise<string | null> {
  const credential = findCredential(request.url, request.raw.headers);
  const known = credential && (await admit(deps, credential.publicKey, request.projectId));
  return withBody(deps, request, known, async (body, slot) => {
    const envelope = await receiveEnvelope(body, slot, request.projectId, credential?.publicKey ?? null);
    // Requests through an SDK's tunnel name the key only in the envelope itself.
    const sender = known ?? (await admit(deps, envelope.publicKey, request.projectId));
    if (!known) slot.payBy(sender.id);
    for (const [outcome, count] of envelope.dropped) deps.drops.add(sender.projectId, outcome, count);
    const { sentAt, sdk } = envelope;
    // Waits for all of them even if one fails, because the buffer they are read from is released
    // afterwards.
    const results = await Promise.allSettled([
      ...envelope.events.map(async (event, index) =>
        storeEvent(deps, sender, request, event, { eventId: index === 0 ? envelope.eventId : null, sentAt, sdk }),
      ),
      storeSessions(deps, sender, envelope),
    ]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    // The large event was counted while the envelope was read; its other items are stored.
    if (envelope.eventTooLarge) throw new IngestFailure(413, tooLarge('An event', maxEventBytes).message);
    return (results[0]?.status === 'fulfilled' ? results[0].value : null) ?? envelope.eventId;
  });
}

/**
 * Checks the client key, the disk and the rates.
 *
 * @throws IngestFailure 404 with the same text for every reason, because the address is public; the
 * reason is logged. 429 when the disk is full or a rate used up.
 */
async function admit(deps: IngestDeps, publicKey: string | null, projectId: string): Promise<Sender> {
  if (publicKey === null) throw malformed('The request names no client key.');
  const key = await deps.clientKeys.byPublicKey(publicKey);
  const reason = refusal(key, projectId);
  if (key === null || reason !== null) {
    // Grouped by project only if the key exists, because anyone can invent keys.
    deps.logRefusal(`${reason} ${key?.projectId ?? ''}`, { project: projectId, reason }, 'sender of errors refused');
    throw new IngestFailure(404, 'There is no such project, or the client key is not one of it.');
  }
  try {
    if (deps.diskSpace.lowForRows) throw diskAlmostFull();
    deps.limits.take(key.id);
  } catch (error) {
    countDrop(deps, key, error);
    throw error;
  }
  return key;
}

function refusal(key: KnownClientKey | null, projectId: string): string | null {
  if (key === null) return 'unknown client key';
  if (String(key.projectId) !== projectId) return 'client key of another project';
  if (!key.active) return 'client key not active';
  return key.projectActive ? null : 'error tracking is off, or its backend is external';
}

/** Runs `work` when it is the request's turn, and releases what the request holds afterwards. */
async function withBody<T>(
  deps: IngestDeps,
  { raw, address }: IngestRequest,
  sender: Sender | null,
  work: (body: RequestBody, slot: IngestSlot) => Promise<T>,
): Promise<T> {
  let slot: IngestSlot | null = null;
  let body: RequestBody | null = null;
  try {
    slot = deps.limits.begin(sender === null ? { address } : { keyId: sender.id });
    body = new RequestBody(raw, raw.headers['content-encoding'], bodyLimits, slot);
    await deps.batches.turn(await body.receive());
    return await work(body, slot);
  } catch (thrown) {
    const error = temporaryFailure(thrown) !== null ? databaseLocked(thrown) : thrown;
    if (sender) countDrop(deps, sender, error);
    throw error;
  } finally {
    body?.release();
    slot?.release();
  }
}

function countDrop(deps: IngestDeps, { projectId }: Sender, error: unknown): void {
  if (!(error instanceof IngestFailure)) return;
  error.projectId = projectId;
  if (error.drop !== null) deps.drops.add(projectId, error.drop);
}

async function storeSessions(deps: IngestDeps, sender: Sender, { events, sessions, sentAt }: Envelope): Promise<null> {
  if (sessions.length === 0) return null;
  const received = { receivedAt: Date.now(), sentAt };
  const [first, ...others] = await deps.sessions.record(sender.projectId, sessions, received, async (bytes) =>
    deps.batches.turn(bytes),
  );
  for (const failure of others) countDrop(deps, sender, failure);
  // An unreadable session beside an event must not make the sender believe that the event was
  // refused.
  if (first && events.length === 0) throw first;
  if (first) countDrop(deps, sender, first);
  return null;
}

async function storeEvent(
  deps: IngestDeps,
  { id, projectId }: Sender,
  request: IngestRequest,
  body: Buffer,
  about: About,
): Promise<string | null> {
  const event = await deps.prepare(body, { ...about, receivedAt: Date.now(), address: request.address });
  if (!event) {
    deps.drops.add(projectId, 'item:transaction');
    return about.eventId;
  }
  const stored = await deps.events.add({ projectId, keyId: id, event, userHash: deps.hashUser(projectId, event.user) });
  void deps
    .announce(projectId, event, stored)
    .catch((error: unknown) => deps.log.warn({ err: error }, 'stored event not announced'));
  return eventIdOf(event.eventId);
}
