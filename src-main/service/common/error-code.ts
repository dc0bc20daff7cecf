/**
 * The code of an error of the system or SQLite, such as `ENOENT` or `SQLITE_FULL`; empty without
 * one.
 */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
