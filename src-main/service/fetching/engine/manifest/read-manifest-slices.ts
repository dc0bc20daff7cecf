import { isUtf8 } from 'node:buffer';

const maxManifestBytes = 256 * 1024 * 1024;
/** Entries are parsed some at a time: one call for each would cost more than the parsing. */
const defaultSliceBytes = 64 * 1024;
// What an entry may hold at most, and all that stands around the list of files.
const maxEnvelopeBytes = 1024 * 1024;

// Enough for the name of the list and the blanks around it, however nicely it is printed.
const tailBytes = 256;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** It is no manifest, or none that could be used. The message says why and names no server. */
export class ManifestError extends Error {
  readonly reason = 'bad-manifest';
}

/**
 * Reads a JSON object from bytes that come piece by piece, its member `files` entry by entry: what is held at once does not grow with the manifest. Only what
 * keeps strings, depth and commas apart is looked at here; everything else is found by JSON.parse in the parts.
 */
export class ManifestSlices {
  readonly #take: (entries: readonly unknown[]) => void;
  /** All but the entries of the list. */
  #around = '';
  #held: Buffer[] = [];
  #heldBytes = 0;
  #total = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #list: 'before' | 'inside' | 'after' = 'before';
  #entries = 0;

  /** @param take gets the entries of `files`, some at a time. */
  constructor(take: (entries: readonly unknown[]) => void) {
    this.#take = take;
  }

  /** @param chunk is not needed any more afterwards. @throws ManifestError when it is not JSON or larger than 256 MiB. */
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

  /** @returns where the quote is that ends the string around a place; the length of the chunk when it is not in it. */
  #endOfString(chunk: Buffer, start: number): number {
    let at = this.#escaped ? start + 1 : start;
    for (; at < chunk.length && chunk[at] !== quote; at += 1) if (chunk[at] === backslash) at += 1;
    // After the last byte of a chunk there may be one that a backslash before it has escaped.
    this.#escaped = at > chunk.length;
    return Math.min(at, chunk.length);
  }

  /** @returns the object, with `files` empty. @throws ManifestError when it is not JSON or has no list of files. */
  finish(): object {
    if (this.#list === 'inside') throw new ManifestError('The manifest ends within its list of files.');
    this.#around += decode(this.#release());
    const object = parse(this.#around.replace(/^\ufeff/, ''));
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

  /** Whether a list that begins after these bytes is the list of files; its beginning is then among what stands around. */
  #isList(before: Buffer): boolean {
    if (this.#list !== 'before') return false;
    // A quote within a string has a backslash before it, so this is a name and nothing that looks like one.
    if (!/[{,]\s*"files"\s*:\s*$/.test(this.#tail(before).toString('latin1'))) return false;
    this.#hold(before);
    this.#around = `${decode(this.#release())}[`;
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
    // Nothing between two commas, or after the last one, would look like an empty list here.
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

// A TextDecoder that refuses takes several times as long.
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
