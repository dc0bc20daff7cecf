/** One event of a stream, name and data as received. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/**
 * The service never sends a line near this length, so a longer one means that the peer is not the
 * service.
 */
const maxLineLength = 1024 * 1024;

/**
 * Incremental parser of server-sent events (WHATWG HTML, section 9.2.6), fed with chunks of any
 * length. Ids and retry times are ignored.
 */
export class EventStreamReader {
  #rest = '';
  #name = '';
  #data: string[] = [];

  /**
   * Parses the next chunk.
   * @returns the events that it completes.
   * @throws if a line exceeds `maxLineLength`.
   */
  read(text: string): StreamEvent[] {
    const whole = this.#rest + text;
    // A trailing carriage return may be the first half of CRLF.
    const usable = whole.endsWith('\r') ? whole.length - 1 : whole.length;
    const lines = whole.slice(0, usable).split(/\r\n|\r|\n/);
    this.#rest = (lines.pop() ?? '') + whole.slice(usable);
    if (this.#rest.length > maxLineLength) throw new Error('A line of the event stream does not end.');
    return lines.flatMap((line) => this.#take(line) ?? []);
  }

  #take(line: string): StreamEvent | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#name = value;
    if (field === 'data') this.#data.push(value);
    return undefined;
  }

  #dispatch(): StreamEvent | undefined {
    const event = { name: this.#name === '' ? 'message' : this.#name, data: this.#data.join('\n') };
    const isEvent = this.#data.length > 0;
    this.#name = '';
    this.#data = [];
    return isEvent ? event : undefined;
  }
}
