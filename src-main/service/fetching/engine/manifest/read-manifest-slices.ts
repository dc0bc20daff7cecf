import { isUtf8 } from 'node:buffer';

const maxManifestBytes = 256 * 1024 * 1024;
/** Entries are parsed in slices: one JSON.parse call per entry would cost more than the parsing. */
const defaultSliceBytes = 64 * 1024;
// Maximum size of one slice of entries, and of everything around the file list.
const maxEnvelopeBytes = 1024 * 1024;

// Enough for the list's name and the white space around it.
const tailBytes = 256;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** The manifest is invalid or unusable. The message says why and names no server. */
export class ManifestError extends Error {
  readonly reason = 'bad-manifest';
}

/**
 * Parses a JSON object from chunks and its member `files` in slices of entries, so that memory use
 * does not grow with the manifest. Tracks only strings, depth and commas; JSON.parse checks
 * everything else.
 */
export class ManifestSlices {
  readonly #take: (entries: readonly unknown[]) => void;
  /** Everything except the entries of the list. */
  #envelope = '';
  #held: Buffer[] = [];
  #heldBytes = 0;
  #total = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #list: 'before' | 'inside' | 'after' = 'before';
  #entries = 0;

  /** @param take receives the entries of `files` in slices. */
  constructor(take: (entries: readonly unknown[]) => void) {
    this.#take = take;
  }

  /**
   * @param chunk may be reused afterwards. @throws ManifestError if it is not JSON or larger than
   * 256 MiB
   */
  push(chunk: Buffer): void {
    this.#total += chunk.length;
    if (this.#total > maxManifestBytes)
      throw new ManifestError(`The manifest is larger than ${maxManifestBytes / 1024 / 1024} MiB.`);
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#inString) at = this.#endOfString(chunk, at);
      const byte = chunk[at];
      if (byte === quote) this.#inString = !this.#inString;
      else if (byte === 0x7b || byte === 0x5b) {
        this.#depth += 1;
        if (byte === 0x5b && this.#depth === 2 && this.#isList(chunk.subarray(from, at))) from = at + 1;
      } else if (byte === 0x7d || byte === 0x5d) {
        this.#depth -= 1;
        if (this.#list === 'inside' && this.#depth === 1) {
          this.#cut(chunk.subarray(from, at), false);
          this.#list = 'after';
          from = at;
        }
      } else if (
        byte === comma &&
        this.#list === 'inside' &&
        this.#depth === 2 &&
        this.#heldBytes + at - from >= defaultSliceBytes
      ) {
        this.#cut(chunk.subarray(from, at), true);
        from = at + 1;
      }
    }
    this.#hold(Buffer.from(chunk.subarray(from)));
  }

  /** @returns the position of the quote that ends the current string, or the chunk's length */
  #endOfString(chunk: Buffer, start: number): number {
    let at = this.#escaped ? start + 1 : start;
    for (; at < chunk.length && chunk[at] !== quote; at += 1) if (chunk[at] === backslash) at += 1;
    // A backslash at the end of a chunk escapes the first byte of the next one.
    this.#escaped = at > chunk.length;
    return Math.min(at, chunk.length);
  }

  /**
   * @returns the object, with `files` empty. @throws ManifestError if it is not JSON or has no file
   * list
   */
  finish(): object {
    if (this.#list === 'inside') throw new ManifestError('The manifest ends within its list of files.');
    this.#envelope += decode(this.#release());
    const object = parse(this.#envelope.replace(/^\ufeff/, ''));
    if (
      this.#list === 'before' ||
      typeof object !== 'object' ||
      object === null ||
      !('files' in object) ||
      !isEmptyList(object.files)
    ) {
      throw new ManifestError('The manifest has no list of files, or more than one.');
    }
    return object;
  }

  /**
   * Whether the list that starts after these bytes is the file list. If so, keeps its opening
   * bracket as part of the envelope.
   */
  #isList(before: Buffer): boolean {
    if (this.#list !== 'before') return false;
    // Quotes inside strings are escaped, so this matches only a member name.
    if (!/[{,]\s*"files"\s*:\s*$/.test(this.#tail(before).toString('latin1'))) return false;
    this.#hold(before);
    this.#envelope = `${decode(this.#release())}[`;
    this.#list = 'inside';
    return true;
  }

  #tail(last: Buffer): Buffer {
    let tail = last.subarray(-tailBytes);
    for (let at = this.#held.length - 1; at >= 0 && tail.length < tailBytes; at -= 1)
      tail = Buffer.concat([this.#held[at] ?? tail, tail]).subarray(-tailBytes);
    return tail;
  }

  #cut(last: Buffer, more: boolean): void {
    this.#hold(last);
    const entries = parse(`[${decode(this.#release())}]`) as readonly unknown[];
    // An empty slot between two commas, or after the last one, would parse as an empty list.
    if (entries.length === 0 && (more || this.#entries > 0)) throw notJson();
    this.#entries += entries.length;
    this.#take(entries);
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > maxEnvelopeBytes)
      throw new ManifestError('A single part of the manifest is larger than 1 MiB.');
  }

  #release(): Buffer {
    const all = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return all;
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

// A TextDecoder with `fatal` takes several times as long.
function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ManifestError('The manifest is not valid UTF-8.');
  return bytes.toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notJson();
  }
}

function notJson(): ManifestError {
  return new ManifestError('The manifest is not JSON, or it was cut off.');
}
