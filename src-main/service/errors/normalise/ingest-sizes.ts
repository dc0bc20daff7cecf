export interface BodyLimits {
  /** As it came, and inflated. */
  readonly received: number;
  readonly inflated: number;
}

const mebibyte = 1024 * 1024;

/** A body as it came and inflated; attachments in it are read and forgotten. */
export const bodyLimits: BodyLimits = { received: 20 * mebibyte, inflated: 100 * mebibyte };

/** An event inflated. */
export const maxEventBytes = mebibyte;

/** Items of sessions: one update, or counts of many. */
export const maxSessionBytes = 100 * 1024;
/** Events above are read on a thread of their own. Measured: 100 KB cost a millisecond, a megabyte of small parts up to sixty. */
export const largeEventBytes = 128 * 1024;
