/** One event of a stream: its name and its data, both as they came. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** A line of the service is never near this long; whatever is, is not the service. */
const maxLineLength = 1024 * 1024;

/** Reads a stream of events (WHATWG HTML, section 9.2.6) as it comes, in pieces of any length. Ids and pauses are of no use here. */
export class EventStreamReader {
  #rest = '';
  #name = '';
  #data: string[] = [];

  /** Takes the next piece of the stream and answers with the events that it completes. */
  read(text: string): StreamEvent[] {
    const whole = this.#rest + text;
    // A carriage return at the end may be half of a line's end.
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
