import { errorCode } from '../../common/error-code.ts';

// PostgreSQL, appendix A, "PostgreSQL Error Codes".
const serializationFailure = '40001';
const deadlock = '40P01';
const uniqueViolation = '23505';

/**
 * Whether a transaction has to be run again: it could not be put in an order with others, or
 * another one inserted the same key between its look and its write.
 */
export function isConflict(error: unknown): boolean {
  const code = errorCode(error);
  return code === serializationFailure || code === deadlock || code === uniqueViolation;
}

/** Whether a key is taken. */
export function isDuplicate(error: unknown): boolean {
  return errorCode(error) === uniqueViolation;
}

/** A failure before anything was written for good: the work may be done again. */
export class UnwrittenError extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the database failed', { cause });
    this.code = errorCode(cause);
  }
}

export function isUnwritten(error: unknown): boolean {
  return error instanceof UnwrittenError;
}

/**
 * Whether no answer came from a PostgreSQL that takes writes: connections that fail or end, a
 * server that starts, stops, or is a standby, and a transaction that it ended because this process stood still.
 */
export function isUnreachable(error: unknown): boolean {
  const code = errorCode(error);
  return (
    /^(0800[0-7]|57P0[123]|25006|25P03|53300)$/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'ENOENT'].includes(
      code,
    ) ||
    (error instanceof Error &&
      /Connection terminated|timeout exceeded when trying to connect|Query read timeout/.test(error.message))
  );
}

/** Whether PostgreSQL ended a transaction that was idle for too long, and so never got its commit. */
export function isEndedWhileIdle(error: unknown): boolean {
  return errorCode(error) === '25P03';
}

/** A text with NUL, which PostgreSQL cannot store. */
export class UnstorableTextError extends Error {
  readonly statusCode = 400;

  constructor() {
    super('A text contains the character NUL (U+0000), which cannot be stored.');
  }
}

/** Whether a lock took too long: its transaction has written nothing (`lock_timeout`). */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === '55P03';
}

/** Whether a lock or a statement took too long (`lock_timeout`, `statement_timeout`). */
export function isTimeout(error: unknown): boolean {
  return isLockTimeout(error) || errorCode(error) === '57014';
}

/** Whether the disk of PostgreSQL is full. */
export function isOutOfSpace(error: unknown): boolean {
  return errorCode(error) === '53100';
}
