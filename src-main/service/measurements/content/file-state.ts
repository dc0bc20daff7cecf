import { stat } from 'node:fs/promises';
import { FileFault } from '../storage/file-errors.ts';
import { mayBeRestored } from './may-be-restored.ts';
import type { ServedFile } from './served-file.ts';

/**
 * An altered file stays refused, but is compared again when it has changed since: the original may
 * have been restored.
 */
export async function alteredFault({ row, path }: Pick<ServedFile, 'row' | 'path'>): Promise<FileFault> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  if (found && mayBeRestored(row, found))
    return new FileFault(row, 'unchecked', 'it was found altered and has changed again since');
  return new FileFault(row, 'altered', row.problem ?? 'an earlier check found it altered');
}

/**
 * Whether a file has not been written since its bytes were hashed, judged by its status change time
 * when it was last opened; false where none is registered.
 */
export function isUntouched({ row, seen }: Pick<ServedFile, 'row' | 'seen'>): boolean {
  return seen !== null && row.ctime_ns !== null && seen.ctimeNs === BigInt(row.ctime_ns);
}
