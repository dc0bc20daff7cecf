import type { ByteRange } from '../../http/semantics/byte-ranges.ts';
import { readSmall, type CopySource } from '../content/copy-file.ts';
import { RangeGuard } from '../block-checks/range-guard.ts';

const readAttempts = 3;

/**
 * Reads a small range and verifies it. A partial range is read again when the file was modified
 * between the check of its blocks and the end of the read.
 */
export async function readChecked(source: CopySource, buffer: Buffer, { start, end }: ByteRange): Promise<void> {
  if (start === 0 && end === source.file.length) return readSmall(source, buffer, start, end);
  for (let attempt = 1; ; attempt += 1) {
    const guard = new RangeGuard(source.checked, source, end);
    for (let at = start; at < end;) at = await guard.clear(at);
    readSmall(source, buffer, start, end);
    try {
      return await guard.confirm();
    } catch (error) {
      if (attempt === readAttempts) throw error;
    }
  }
}
