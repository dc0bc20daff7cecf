import { Readable } from 'node:stream';
import type { EntryPlace } from '../../../files/hash-messages.ts';
import { dataStartOf, smallBytes } from '../../../files/zip-extract.ts';

const sliceBytes = 1024 * 1024;
/** Requests at once: entries in another order than that of the archive take one each. */
const slicesAhead = 4;
/** Of a local header: its fixed part, the longest name and the longest extra fields. */
const maxHeaderBytes = 30 + 2 * 0xffff;

/** Reads a range of the upload. */
export type ReadRange = (start: number, end: number) => Promise<Buffer>;

export interface PackedBody {
  readonly size: number;
  readonly read: ReadRange;
}

/** Where a file lies in its upload; null when it is all of it. */
interface Located {
  readonly place: EntryPlace | null;
  /** Unpacked. */
  readonly length: number;
}

/** Bytes that are read together: one large entry, or small ones that follow each other. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly entries: number;
}

/**
 * Yields entries with their data, which are still packed and must be read before the next entry.
 *
 * @throws DamagedEntryError for a local header that is not that of its entry, or an error of `read`.
 */
export async function* packedEntries<Entry extends Located>(
  body: PackedBody,
  entries: readonly Entry[],
  from = 0,
): AsyncGenerator<{ readonly entry: Entry; readonly packed: Readable | Buffer }> {
  const slices = inAdvance(slicesOf(body, entries, from), async ({ start, end }) => body.read(start, end));
  let at = from;
  try {
    for (const run of runsOf(body, entries, from)) {
      const chunks = new RunChunks(slices, run);
      const ofRun = entries.slice(at, at + run.entries);
      const only = run.end - run.start > sliceBytes ? null : await chunks.next();
      for (const entry of ofRun) {
        const { start, end } = spanOf(body, entry);
        if (only === null) yield { entry, packed: Readable.from(dataIn(chunks, entry, start, body.size)) };
        else {
          const data = dataAt(only.subarray(start - run.start, end - run.start), entry, start, body.size);
          yield { entry, packed: entry.length <= smallBytes ? data : Readable.from([data]) };
        }
      }
      // Skips the bytes between the data of an entry and the next header.
      while ((await chunks.next()) !== null);
      at += run.entries;
    }
  } finally {
    await slices.return(undefined);
  }
}

/** The slices of one run, whatever its reader takes of them. */
class RunChunks {
  readonly #slices: AsyncGenerator<Buffer>;
  #left: number;

  constructor(slices: AsyncGenerator<Buffer>, { start, end }: Run) {
    this.#slices = slices;
    this.#left = Math.max(1, Math.ceil((end - start) / sliceBytes));
  }

  async next(): Promise<Buffer | null> {
    if (this.#left === 0) return null;
    this.#left -= 1;
    const { value, done } = await this.#slices.next();
    return done === true ? null : value;
  }
}

function spanOf(body: PackedBody, { place }: Located): { readonly start: number; readonly end: number } {
  if (place === null) return { start: 0, end: body.size };
  const { headerOffset: start, limit, packedBytes } = place;
  return { start, end: Math.min(limit, start + maxHeaderBytes + packedBytes) };
}

function* runsOf(body: PackedBody, entries: readonly Located[], from: number): Generator<Run> {
  let run: Run | null = null;
  for (let at = from; at < entries.length; at += 1) {
    const entry = entries[at];
    if (entry === undefined) return;
    const { start, end } = spanOf(body, entry);
    if (run !== null && run.end === start && end - run.start <= sliceBytes)
      run = { start: run.start, end, entries: run.entries + 1 };
    else {
      if (run !== null) yield run;
      run = { start, end, entries: 1 };
    }
  }
  if (run !== null) yield run;
}

/** Ranges of at most a slice, of one run after the other; an empty run has one. */
function* slicesOf(
  body: PackedBody,
  entries: readonly Located[],
  from: number,
): Generator<{ readonly start: number; readonly end: number }> {
  for (const { start, end } of runsOf(body, entries, from))
    for (let at = start; at === start || at < end; at += sliceBytes)
      yield { start: at, end: Math.min(end, at + sliceBytes) };
}

/** The data of an entry without its header. @param start of the first chunk. */
async function* dataIn(
  chunks: RunChunks,
  { place }: Located,
  start: number,
  bodyBytes: number,
): AsyncGenerator<Buffer> {
  let at = start;
  let range: { readonly begin: number; readonly end: number } | null = null;
  for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) {
    range ??= place === null ? { begin: 0, end: bodyBytes } : dataRange(chunk, place, bodyBytes);
    const part = chunk.subarray(Math.max(0, range.begin - at), Math.max(0, range.end - at));
    if (part.length > 0) yield part;
    at += chunk.length;
    if (at >= range.end) return;
  }
}

/** The data of an entry all of whose bytes are there. @param start of the bytes. */
function dataAt(bytes: Buffer, { place }: Located, start: number, bodyBytes: number): Buffer {
  if (place === null) return bytes;
  const { begin, end } = dataRange(bytes, place, bodyBytes);
  return bytes.subarray(begin - start, end - start);
}

function dataRange(
  first: Buffer,
  place: EntryPlace,
  bodyBytes: number,
): { readonly begin: number; readonly end: number } {
  const begin = dataStartOf(first.subarray(0, 30), place, bodyBytes);
  return { begin, end: begin + place.packedBytes };
}

/** The results of work that is begun some items ahead, in order. */
async function* inAdvance<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for (const item of items) {
    const begun = work(item);
    begun.catch(() => undefined);
    running.push(begun);
    const first = running.length > slicesAhead ? running.shift() : undefined;
    if (first) yield await first;
  }
  for (const one of running) yield await one;
}
