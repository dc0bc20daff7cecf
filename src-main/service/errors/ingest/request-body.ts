import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { detachBuffer } from '../../common/detach-buffer.ts';
import { tooLarge } from '../normalise/ingest-failure.ts';
import type { BodyLimits } from '../normalise/ingest-sizes.ts';
import { decoderOf, inflateSmall, inflateStream, type DecoderOf } from './inflate-body.ts';
import type { IngestSlot } from './ingest-limits.ts';
import { ReceivedChunks } from './received-chunks.ts';

// Bodies up to this size are inflated synchronously, which is cheaper than a round trip to the
// thread pool.
const smallBody = 64 * 1024;

/**
 * The body of a request, inflated while it is read. It accounts for the bytes received and
 * inflated, and stops as soon as one of the two exceeds its limit.
 */
export class RequestBody {
  readonly #slot: Pick<IngestSlot, 'hold' | 'spend'>;
  readonly #decoderOf: DecoderOf | null;
  readonly #received: ReceivedChunks;
  readonly #countReceived: (chunk: Buffer) => Buffer;
  readonly #countInflated: (chunk: Buffer) => Buffer;
  readonly #head: Buffer[] = [];
  #size = 0;
  #isWhole = false;
  #detach = (): void => {};

  /** @throws IngestFailure 415 when the encoding is unknown. */
  constructor(
    source: Readable,
    encoding: string | undefined,
    limits: BodyLimits,
    slot: Pick<IngestSlot, 'hold' | 'spend'>,
  ) {
    this.#slot = slot;
    this.#decoderOf = decoderOf(encoding);
    this.#received = new ReceivedChunks(source);
    const spend = (bytes: number): void => slot.spend(bytes);
    this.#countReceived = counter('The body', limits.received, spend);
    this.#countInflated = counter('The inflated body', limits.inflated, this.#decoderOf === null ? nothing : spend);
  }

  /**
   * Receives a small body, or the beginning of a larger one.
   *
   * @returns the bytes received.
   * @throws IngestFailure 413 when the body is too large, 400 when the sender disconnects.
   */
  async receive(): Promise<number> {
    while (this.#size <= smallBody) {
      const chunk = await this.#received.next();
      if (chunk === null) {
        this.#isWhole = true;
        break;
      }
      this.#head.push(this.#countReceived(chunk));
      this.#size += chunk.length;
      this.#slot.hold(chunk.length);
    }
    return this.#size;
  }

  /**
   * Returns the inflated body, of which the reader accounts for what it keeps.
   *
   * @throws IngestFailure 413 when the body is too large, 400 when it cannot be inflated or the
   * sender disconnects.
   */
  chunks(): Iterable<Buffer> | AsyncIterable<Buffer> {
    this.#slot.hold(-this.#size);
    const small = this.#isWhole ? this.#inflatedHead() : null;
    return small === null ? this.#inflated() : [this.#countInflated(small)];
  }

  /** Returns null when the inflated body is large. */
  #inflatedHead(): Buffer | null {
    const head = joined(this.#head);
    if (this.#decoderOf === null) return head;
    const small = inflateSmall(this.#decoderOf(head), head);
    if (small === null) return null;
    detachBuffer(head, head.length);
    this.#detach = () => detachBuffer(small.whole, small.memory);
    return small.whole;
  }

  async *#inflated(): AsyncGenerator<Buffer> {
    const sent = this.#sent();
    const chunks = this.#decoderOf === null ? sent : inflateStream(this.#decoderOf(joined(this.#head)), sent);
    for await (const chunk of chunks) {
      // The decoder may have buffered a thousand times as many bytes as were received.
      this.#received.assertConnected();
      yield this.#countInflated(chunk);
    }
  }

  async *#sent(): AsyncGenerator<Buffer> {
    yield* this.#head;
    for (let chunk = await this.#received.next(); chunk !== null; chunk = await this.#received.next())
      yield this.#countReceived(chunk);
  }

  /**
   * Releases the memory of the chunks as far as that is possible; nothing may use them afterwards.
   * Unread bytes are received and discarded, so that the sender gets the response.
   */
  release(): void {
    this.#received.release();
    this.#detach();
  }
}

function counter(what: string, maxBytes: number, spend: (bytes: number) => void): (chunk: Buffer) => Buffer {
  let total = 0;
  return (chunk) => {
    total += chunk.length;
    if (total > maxBytes) throw tooLarge(what, maxBytes);
    spend(chunk.length);
    return chunk;
  };
}

const nothing = (): void => {};

export function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}
