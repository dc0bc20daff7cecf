export interface BodyLimits {
  /** Limits of the body's size in bytes, as received and after inflating. */
  readonly received: number;
  readonly inflated: number;
}

const mebibyte = 1024 * 1024;

/** Large enough for attachments, which are read and discarded. */
export const bodyLimits: BodyLimits = { received: 20 * mebibyte, inflated: 100 * mebibyte };

/** Limit of one event in bytes, inflated. */
export const maxEventBytes = mebibyte;

/** Limit in bytes of an item `session` (one update) or `sessions` (counts of many). */
export const maxSessionBytes = 100 * 1024;
/**
 * Larger events are read on a worker. Measured: 100 KB take a millisecond, a megabyte of small
 * parts up to sixty.
 */
export const largeEventBytes = 128 * 1024;
