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

/**
 * Whether no answer came from a PostgreSQL that takes writes: connections that fail or end, and a
 * server that starts, stops, or is a standby.
 */
export function isUnreachable(error: unknown): boolean {
  const code = errorCode(error);
  return (
    /^(08...|57P0[123]|25006|53300)$/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'ENOENT'].includes(
      code,
    ) ||
    (error instanceof Error && /Connection terminated|timeout exceeded when trying to connect/.test(error.message))
  );
}

/** Whether a lock or a statement took too long (`lock_timeout`, `statement_timeout`). */
export function isTimeout(error: unknown): boolean {
  return ['55P03', '57014'].includes(errorCode(error));
}

/** Whether the disk of PostgreSQL is full. */
export function isOutOfSpace(error: unknown): boolean {
  return errorCode(error) === '53100';
}
