const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;
const decimal = /^\d{1,20}(?:\.\d*)?$/;
const latest = Date.UTC(9999, 11, 31);
const minute = 60_000;
const day = 86_400_000;

// Thresholds of Relay: smaller differences are network latency, larger ones a wrong clock
// (relay-event-normalization, clock_drift.rs).
const minDriftMs = 55_000;
const maxAheadMs = minute;
const maxAgeMs = 30 * day;

const own =
  /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * Whether a text is a time exactly as this service stores it. May return false for such a text,
 * never true for another.
 */
export function isOwnTime(text: string): boolean {
  return text.length === 24 && own.test(text);
}

/**
 * Reads a point in time in any shape that SDKs send: ISO 8601 with 0 to 9 decimals, with or without
 * a zone, or seconds since 1970.
 *
 * @returns milliseconds since 1970, or null when it is not a time.
 */
export function readTime(value: unknown): number | null {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > 64) return null;
  const text = value.trim();
  return decimal.test(text) ? fromNumber(Number(text)) : fromIso(text);
}

function fromNumber(value: number): number | null {
  if (!Number.isFinite(value) || value < 0) return null;
  // Seconds are the rule; the scale shows when a program sent milliseconds, microseconds or
  // nanoseconds by mistake.
  const scale = value < 1e11 ? 1000 : value < 1e14 ? 1 : value < 1e17 ? 1e-3 : 1e-6;
  return within(Math.round(value * scale));
}

function fromIso(text: string): number | null {
  const parts = iso.exec(text);
  if (!parts) return null;
  const [year, month, dayOfMonth, hours, minutes, seconds] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const millisecond = Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000);
  // A leap second is mapped to the last second of its minute.
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
  // Without a zone it is UTC, as the legacy client of job runners sends it.
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

/** Estimate of a sender's clock. */
export interface SenderClock {
  /** Milliseconds to add to the sender's times. */
  readonly ahead: number;
  /**
   * Converts a time of the sender to the service's clock; returns the time of receipt when the
   * result is implausible.
   */
  correct(time: number | null): number;
}

/**
 * @param sentAt time at which the sender says it sent the envelope; its difference to the receipt
 * is the drift of the sender's clock.
 */
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
