const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;
const decimal = /^\d{1,20}(?:\.\d*)?$/;
const latest = Date.UTC(9999, 11, 31);
const minute = 60_000;
const day = 86_400_000;

// As Relay: smaller differences are the way through the network, and what lies outside is a wrong clock (relay-event-normalization, clock_drift.rs).
const minDriftMs = 55_000;
const maxAheadMs = minute;
const maxAgeMs = 30 * day;

const own =
  /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Whether a text is a time in the very form that we store; not all of them are found, no others are. */
export function isOwnTime(text: string): boolean {
  return text.length === 24 && own.test(text);
}

/** A point in time in any shape that SDKs send: ISO 8601 with 0 to 9 decimals, with or without zone, or seconds since 1970; null for everything else. */
export function readTime(value: unknown): number | null {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  return decimal.test(text) ? fromNumber(Number(text)) : fromIso(text);
}

function fromNumber(value: number): number | null {
  if (!Number.isFinite(value) || value < 0) return null;
  // Seconds; programs that take milliseconds, microseconds or nanoseconds by mistake mean the same century.
  const scale = value < 1e11 ? 1000 : value < 1e14 ? 1 : value < 1e17 ? 1e-3 : 1e-6;
  return within(Math.round(value * scale));
}

function fromIso(text: string): number | null {
  const parts = iso.exec(text);
  if (!parts) return null;
  const [year, month, dayOfMonth, hours, minutes, seconds] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const millisecond = Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000);
  // A leap second is the end of its minute.
  const time = Date.UTC(
    year ?? 0,
    (month ?? 1) - 1,
    dayOfMonth,
    hours,
    minutes,
    Math.min(seconds ?? 0, 59),
    millisecond,
  );
  const valid =
    (month ?? 0) >= 1 &&
    (month ?? 0) <= 12 &&
    (dayOfMonth ?? 0) >= 1 &&
    (hours ?? 0) < 25 &&
    (minutes ?? 0) < 60 &&
    (seconds ?? 0) <= 60;
  // Without a zone it is UTC: the legacy client of the job runner sends it so.
  return valid ? within(time - offsetOf(parts[8])) : null;
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0)) * minute;
}

function within(time: number): number | null {
  return time >= 0 && time <= latest ? time : null;
}

/** The clock of a sender, as far as it can be known. */
export interface SenderClock {
  /** To add to its times to have ours. */
  readonly ahead: number;
  /** Its time in ours; the time of receipt where its own cannot be. */
  correct(time: number | null): number;
}

/** @param sentAt when the sender says that it sent the envelope; the difference to the receipt is the drift of its clock. */
export function senderClock(receivedAt: number, sentAt: number | null): SenderClock {
  const drift = sentAt === null ? 0 : receivedAt - sentAt;
  const ahead = Math.abs(drift) >= minDriftMs ? drift : 0;
  return {
    ahead,
    correct: (time) => {
      const corrected = (time ?? receivedAt) + ahead;
      return time === null || corrected > receivedAt + maxAheadMs || corrected < receivedAt - maxAgeMs
        ? receivedAt
        : corrected;
    },
  };
}
