import type { FileRow } from './files-store.ts';

/** The kernel's times of files lag behind the clock by a tick, so a change right after a check may look older than the check. */
const tickMs = 50n;

/** Whether a file that was found altered was changed since, and has the registered length again. */
export function mayBeRestored(
  row: Pick<FileRow, 'length' | 'checked_at'>,
  found: { readonly size: bigint; readonly ctimeMs: bigint; isFile(): boolean },
): boolean {
  return found.isFile() && found.size === BigInt(row.length) && found.ctimeMs + tickMs > BigInt(row.checked_at ?? 0);
}
