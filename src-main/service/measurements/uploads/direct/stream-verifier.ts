import type { StreamCheckpoint } from '../../store/upload-parts-store.ts';

/** Verifies the bytes of an upload in their order. */
export interface StreamVerifier {
  /** Number of bytes before the next one. */
  readonly offset: number;
  readonly checkpoint: StreamCheckpoint;
  /** @throws DamagedError */
  write(chunk: Buffer): void;
  close(): void;
}

/** Counts the bytes of an upload without a manifest, of which nothing is known before all have come. */
export class BodyCounter implements StreamVerifier {
  offset: number;

  constructor(offset: number) {
    this.offset = offset;
  }

  get checkpoint(): StreamCheckpoint {
    return { member: 0, member_offset: 0, line: 0, position: this.offset, crc32: 0 };
  }

  write(chunk: Buffer): void {
    this.offset += chunk.length;
  }

  close(): void {
    // Nothing is open.
  }
}
