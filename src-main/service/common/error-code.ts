/** The code that the system or SQLite gave an error, such as `ENOENT` or `SQLITE_FULL`; empty for one without. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
