import { Buffer } from 'node:buffer';
import { IngestFailure, malformed } from '../normalise/ingest-failure.ts';
import { asRecord, parseEventJson } from '../normalise/event-json.ts';

const lineFeed = 0x0a;
const maxHeaderBytes = 16 * 1024;
const maxItems = 1000;
// A hundred million blank lines compress to a tenth of a megabyte.
const maxBlankLines = 1000;

export type Fields = Readonly<Record<string, unknown>>;

/** Receives the parts of an envelope while it is read. */
export interface EnvelopeSink {
  header(fields: Fields): void;
  /** @returns how many bytes of an item of this type to keep; 0 if the item is only counted. */
  wanted(type: string): number;
  /** Accounts for bytes that are now held in memory. */
  kept(bytes: number): void;
  /** @param payload null when it is larger than `wanted` allows. */
  item(type: string, payload: Buffer | null): void;
}

/**
 * Parses an envelope chunk by chunk: a header line, then items, each a header line and a payload
 * with or without its length in bytes (develop.sentry.dev, "Envelopes"). Unwanted payloads are
 * skipped, so attachments cost no memory.
 */
export class EnvelopeReader {
  readonly #sink: EnvelopeSink;
  #state: 'header' | 'item' | 'payload' | 'line' | 'gap' = 'header';
  #kept: Buffer[] = [];
  #size = 0;
  #type = '';
  #wanted = 0;
  #remaining = 0;
  #items = 0;
  #blankLines = 0;

  constructor(sink: EnvelopeSink) {
    this.#sink = sink;
  }

  /** @throws IngestFailure 400 when it is not an envelope. */
  write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#step(chunk, at);
  }

  /** @throws IngestFailure 400 when the envelope is incomplete. */
  end(): void {
    if (this.#state === 'header') this.#headerLine();
    // The last line feed may be missing, also after an item without a payload.
    else if (this.#state === 'item') this.#itemLine();
    if (this.#state === 'payload') throw malformed('The envelope ends within an item.');
    if (this.#state === 'line') this.#finishItem();
  }

  /** @returns the offset of the next step. */
  #step(chunk: Buffer, at: number): number {
    if (this.#state === 'payload') return this.#counted(chunk, at);
    if (this.#state === 'gap') {
      if (chunk[at] !== lineFeed) throw malformed('An item of the envelope is longer than it says.');
      this.#state = 'item';
      return at + 1;
    }
    const end = chunk.indexOf(lineFeed, at);
    this.#keep(chunk.subarray(at, end < 0 ? chunk.length : end));
    if (this.#state !== 'line' && this.#size > maxHeaderBytes)
      throw malformed('A header line of the envelope is too long.');
    if (end < 0) return chunk.length;
    if (this.#state === 'header') this.#headerLine();
    else if (this.#state === 'item') this.#itemLine();
    else this.#finishItem();
    return end + 1;
  }

  #counted(chunk: Buffer, at: number): number {
    const end = Math.min(at + this.#remaining, chunk.length);
    this.#keep(chunk.subarray(at, end));
    this.#remaining -= end - at;
    if (this.#remaining === 0) this.#finishItem();
    return end;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    const most = this.#state === 'header' || this.#state === 'item' ? maxHeaderBytes : this.#wanted;
    if (this.#size > most) {
      this.#kept = [];
      return;
    }
    this.#kept.push(part);
    this.#sink.kept(part.length);
  }

  #taken(): Buffer {
    const [only] = this.#kept;
    const whole = this.#kept.length === 1 && only ? only : Buffer.concat(this.#kept);
    this.#kept = [];
    this.#size = 0;
    return whole;
  }

  #fields(line: Buffer): Fields {
    let value: unknown;
    try {
      value = parseEventJson(line);
    } catch (error) {
      throw malformed('A header of the envelope is not JSON.', error);
    }
    const fields = asRecord(value);
    if (!fields) throw malformed('A header of the envelope is not an object.');
    return fields;
  }

  #headerLine(): void {
    this.#sink.header(this.#fields(this.#taken()));
    this.#state = 'item';
  }

  #itemLine(): void {
    const line = this.#taken();
    if (line.every((byte) => byte <= 0x20)) {
      this.#blankLines += 1;
      if (this.#blankLines > maxBlankLines) throw malformed(`The envelope has more than ${maxBlankLines} blank lines.`);
      return;
    }
    const fields = this.#fields(line);
    this.#items += 1;
    if (this.#items > maxItems)
      throw new IngestFailure(413, `The envelope has more than ${maxItems} items.`, { drop: 'too-large' });
    this.#type = typeof fields['type'] === 'string' ? fields['type'] : '';
    this.#wanted = this.#sink.wanted(this.#type);
    const length = fields['length'] ?? null;
    if (length === null) {
      this.#state = 'line';
      return;
    }
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0)
      throw malformed('An item of the envelope has an unreadable length.');
    this.#state = 'payload';
    this.#remaining = length;
    if (length === 0) this.#finishItem();
  }

  #finishItem(): void {
    const whole = this.#size <= this.#wanted;
    const payload = this.#taken();
    // After a payload without a length its line feed has been read already.
    this.#state = this.#state === 'payload' ? 'gap' : 'item';
    this.#sink.item(this.#type, whole ? payload : null);
  }
}
