import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { chunkBytes } from './upload-limits.ts';

/**
 * Reads a bundle from its chunks with one chunk in memory at a time. All chunks but the last have
 * the full size.
 *
 * @param chunk returns the content by index; its promise rejects when the chunk has been removed
 */
export class BundleReader extends RandomAccessReader {
  readonly #chunk: (index: number) => Promise<Buffer>;
  #kept: { readonly index: number; readonly content: Promise<Buffer> } | null = null;

  constructor(chunk: (index: number) => Promise<Buffer>) {
    super();
    this.#chunk = chunk;
  }

  async #piece(position: number, length: number): Promise<Buffer> {
    const index = Math.floor(position / chunkBytes);
    if (this.#kept?.index !== index) this.#kept = { index, content: this.#chunk(index) };
    const content = await this.#kept.content;
    const at = position - index * chunkBytes;
    const piece = content.subarray(at, Math.min(content.length, at + length));
    if (piece.length === 0) throw new Error('the bundle ends too early');
    return piece;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    let position = start;
    const next = async (): Promise<Buffer | null> => {
      if (position >= end) return null;
      const piece = await this.#piece(position, end - position);
      position += piece.length;
      return piece;
    };
    return new Readable({
      read() {
        next().then(
          (piece) => this.push(piece),
          (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
        );
      },
    });
  }

  override close(callback: (error: Error | null) => void): void {
    this.#kept = null;
    callback(null);
  }
}
