import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { bytesOf } from './content.ts';
import { partialEnding } from './folder-contents.ts';
import type { GeneratedMeasurement } from './measurement.ts';

/** Bytes of a file that a journal records as stored. */
export interface KnownPiece {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** Recorded pieces whose bytes are missing or differ. */
export function untruePieces(
  measurement: GeneratedMeasurement,
  target: string,
  pieces: readonly KnownPiece[],
): readonly KnownPiece[] {
  return pieces.filter(({ index, start, end }) => {
    const file = measurement.files[index];
    const name = path.join(target, file?.path ?? '');
    // Between the rename and its record in the journal the bytes have the final name.
    const found = [`${name}${partialEnding}`, name].find(existsSync);
    if (!file || found === undefined) return true;
    const bytes = Buffer.alloc(end - start);
    const fd = openSync(found, 'r');
    try {
      return (
        readSync(fd, bytes, 0, bytes.length, start) < bytes.length || !bytes.equals(bytesOf(file.seed, start, end))
      );
    } finally {
      closeSync(fd);
    }
  });
}
