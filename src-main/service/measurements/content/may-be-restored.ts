import type { FileRow } from '../store/files-store.ts';

/** Whether a file that was found altered has changed since and has the registered length again. */
export function mayBeRestored(
  row: Pick<FileRow, 'length' | 'checked_at'>,
  found: { readonly size: bigint; readonly ctimeMs: bigint; isFile(): boolean },
): boolean {
  return found.isFile() && found.size === BigInt(row.length) && found.ctimeMs > BigInt(row.checked_at ?? 0);
}
