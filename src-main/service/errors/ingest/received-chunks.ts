import type { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { chunkCounter, tooManyChunks } from '../../http/server/chunk-limit.ts';
import { malformed } from '../normalise/ingest-failure.ts';

/**
 * The chunks of a body as they are received: the stream's own iterator would merge them, and their
 * number is limited. The stream is paused while two of them wait to be read.
 */
export class ReceivedChunks {
  readonly #source: Readable;
  readonly #isFine = chunkCounter();
  readonly #waiting: Buffer[] = [];
  #wake = (): void => {};

  constructor(source: Readable) {
    this.#source = source;
    source.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onEnd).on('close', this.#onEnd);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#waiting.push(chunk) > 1) this.#source.pause();
    this.#wake();
  };

  readonly #onEnd = (): void => this.#wake();

  /**
   * @returns null at the end of the body.
   * @throws IngestFailure 400 when the connection ends within the body, or there are too many chunks.
   */
  async next(): Promise<Buffer | null> {
    for (;;) {
      this.assertConnected();
      const chunk = this.#waiting.shift();
      if (chunk !== undefined) {
        if (!this.#isFine(chunk.length)) {
          this.#source.destroy();
          throw malformed(tooManyChunks);
        }
        if (this.#source.isPaused()) this.#source.resume();
        return chunk;
      }
      if (this.#source.readableEnded) return null;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /**
   * @throws IngestFailure 400 when the sender has disconnected, which is not a failure of the service
   * and not logged.
   */
  assertConnected(): void {
    if (this.#source.destroyed && !this.#source.readableEnded)
      throw malformed('The connection ended within the body.', this.#source.errored ?? undefined);
  }

  /**
   * Discards the rest of the body: closing the connection while the sender is still writing would
   * lose the response.
   */
  release(): void {
    const source = this.#source;
    source.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onEnd).off('close', this.#onEnd);
    if (!source.readableEnded) source.on('error', () => {}).resume();
  }
}
