import type { Buffer } from 'node:buffer';
import { eventIdOf } from './event-id.ts';
import { malformed } from './ingest-failure.ts';
import { readTime, senderClock } from './normalise-time.ts';
import { Normaliser } from './normalise-values.ts';
import { asRecord, parseEventJson } from './event-json.ts';

interface Release {
  readonly release: string;
  readonly environment: string;
}

interface Where extends Release {
  /** Days since 1970, UTC. */
  readonly day: number;
  /** The sender's identifier of the user. */
  readonly user: string | null;
}

export interface SessionUpdate extends Where {
  readonly id: string;
  readonly sequence: number;
  readonly status: 'ok' | 'exited' | 'crashed' | 'abnormal';
  readonly errored: boolean;
}

export type SessionCounts = Where & Readonly<Record<'exited' | 'errored' | 'abnormal' | 'crashed', number>>;

export interface ReadCounts {
  readonly counts: readonly SessionCounts[];
  /** Number of counts beyond the limit. */
  readonly leftOut: number;
}

export interface Received {
  readonly receivedAt: number;
  readonly sentAt: number | null;
}

type Fields = Readonly<Record<string, unknown>>;

const dayLength = 86_400_000;
const maxCount = 1_000_000;
const statuses = new Map<unknown, SessionUpdate['status']>([
  ['ok', 'ok'],
  ['exited', 'exited'],
  ['crashed', 'crashed'],
  ['abnormal', 'abnormal'],
  // Sent by mobile SDKs: the user ended the session, or it ended with errors.
  ['errored', 'exited'],
  ['degraded', 'exited'],
]);

/**
 * Reads an item of type `session`: one update of one session.
 *
 * @returns null when it names no release, because sessions are counted per release.
 * @throws IngestFailure 400 when it cannot be read.
 */
export function readSession(body: Buffer, received: Received): SessionUpdate | null {
  const fields = fieldsOf(body);
  const id = eventIdOf(fields['sid']);
  if (id === null) throw malformed('The session has no readable id.');
  const release = releaseOf(asRecord(fields['attrs']));
  if (release === null) return null;
  const errors = fields['errors'];
  return {
    ...whereOf(fields, release, received),
    id,
    sequence: sequenceOf(fields, received.receivedAt),
    status: statuses.get(fields['status'] ?? 'ok') ?? 'exited',
    errored: fields['status'] === 'errored' || (typeof errors === 'number' && errors > 0),
  };
}

/**
 * Returns the order of the update within its session. The first update is 0; without a sequence the
 * sender's clock is used, as in Sentry's protocol.
 */
function sequenceOf(fields: Fields, receivedAt: number): number {
  const sequence = fields['seq'];
  if (typeof sequence === 'number' && Number.isSafeInteger(sequence) && sequence >= 0) return sequence;
  if (fields['init'] === true && fields['status'] === 'ok') return 0;
  return readTime(fields['timestamp']) ?? receivedAt;
}

/**
 * Reads an item of type `sessions`: counts aggregated by the sender.
 *
 * @param limit maximum number of counts.
 * @throws IngestFailure 400 when it cannot be read.
 */
export function readSessionCounts(body: Buffer, received: Received, limit: number): ReadCounts {
  const fields = fieldsOf(body);
  const list: readonly unknown[] = Array.isArray(fields['aggregates']) ? fields['aggregates'] : [];
  const records = list
    .slice(0, limit)
    .map(asRecord)
    .filter((one) => one !== null);
  // Read once for all counts, because the attributes may be a large object.
  const release = releaseOf(asRecord(fields['attrs']));
  if (release === null) return { counts: [], leftOut: 0 };
  const counts = records.map((one) => ({
    ...whereOf(one, release, received),
    exited: countOf(one['exited']),
    errored: countOf(one['errored']),
    abnormal: countOf(one['abnormal']),
    crashed: countOf(one['crashed']),
  }));
  return { counts, leftOut: Math.max(0, list.length - limit) };
}

function fieldsOf(body: Buffer): Fields {
  let value: unknown;
  try {
    value = parseEventJson(body);
  } catch (error) {
    throw malformed('The session is not JSON.', error);
  }
  const fields = asRecord(value);
  if (!fields) throw malformed('The session is not an object.');
  return fields;
}

function releaseOf(attributes: Fields | null): Release | null {
  const normaliser = new Normaliser();
  const release = normaliser.name(attributes?.['release'], 255);
  return release === null ? null : { release, environment: normaliser.name(attributes?.['environment'], 255) ?? '' };
}

function whereOf(fields: Fields, release: Release, { receivedAt, sentAt }: Received): Where {
  const began = senderClock(receivedAt, sentAt).correct(readTime(fields['started']));
  return { ...release, day: Math.floor(began / dayLength), user: new Normaliser().name(fields['did'], 255) };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? Math.min(value, maxCount) : 0;
}
