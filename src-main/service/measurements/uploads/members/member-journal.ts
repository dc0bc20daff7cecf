import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from '../../../common/parse-json.ts';
import { journalName } from './expected-file.ts';
import { LineReader } from './line-reader.ts';

/** Up to where an upload came whole, was verified and is on disk. */
export interface Checkpoint {
  /** Number of files. */
  readonly count: number;
  /** Offset in the archive. */
  readonly offset: number;
  /** Bytes of the header of the next file, which are there too. */
  readonly head: number;
  /** Where the line of the next file begins in the stored manifest. */
  readonly line: number;
}

/** The sums of the blocks and pieces of a file that has more than one. */
interface FileSums {
  readonly index: number;
  /** Base64. */
  readonly blocks: string;
  /** Base64; missing in a line that an older version wrote. */
  readonly pieces?: string;
}

/** See block-sums.ts and piece-hashes.ts; null for a file of one block or piece, or where not known. */
export interface JournalledSums {
  readonly blocks: Uint8Array | null;
  readonly pieces: Uint8Array | null;
}

const none: JournalledSums = { blocks: null, pieces: null };
const start: Checkpoint = { count: 0, offset: 0, head: 0, line: 0 };
// A checkpoint is shorter than 128 bytes, and is the last line that was written whole.
const tailBytes = 256;

/** Appends the sums of files and then the checkpoint, so that no checkpoint is ahead of its sums. */
export function appendCheckpoint(
  folder: string,
  sums: readonly (JournalledSums & { readonly index: number })[],
  checkpoint: Checkpoint,
): void {
  const lines = sums.flatMap(({ index, blocks, pieces }): FileSums[] =>
    blocks ? [{ index, blocks: base64(blocks), ...(pieces ? { pieces: base64(pieces) } : {}) }] : [],
  );
  const text = [...lines, checkpoint].map((line) => JSON.stringify(line)).join('\n');
  // The break before it ends a line that a power cut left half written.
  appendFileSync(path.join(folder, journalName), `\n${text}\n`, { mode: 0o600 });
}

export function lastCheckpoint(folder: string): Checkpoint {
  const file = path.join(folder, journalName);
  if (!existsSync(file)) return start;
  return checkpointIn(tailOf(file)) ?? lastOfAll(file);
}

function tailOf(file: string): string {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, tailBytes));
    readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8');
  } finally {
    closeSync(fd);
  }
}

function checkpointIn(text: string): Checkpoint | null {
  return checkpointOf(text.split('\n').at(-2) ?? '');
}

/** For a journal whose last line is not whole, after a power cut. */
function lastOfAll(file: string): Checkpoint {
  const reader = new LineReader(file);
  let last = start;
  try {
    for (let line = reader.next(); line !== null; line = reader.next()) last = checkpointOf(line) ?? last;
  } finally {
    reader.close();
  }
  return last;
}

/** Reads the sums of files in their order. */
export class JournalSums {
  readonly #reader: LineReader | null;
  #next: FileSums | null = null;

  constructor(folder: string) {
    const file = path.join(folder, journalName);
    this.#reader = existsSync(file) ? new LineReader(file) : null;
  }

  /** Indexes must ascend. */
  of(index: number): JournalledSums {
    while (this.#next === null || this.#next.index < index) {
      const line = this.#reader?.next() ?? null;
      if (line === null) return none;
      this.#next = sumsOf(line) ?? this.#next;
    }
    if (this.#next.index !== index) return none;
    const { blocks, pieces } = this.#next;
    return {
      blocks: Buffer.from(blocks, 'base64'),
      pieces: pieces === undefined ? null : Buffer.from(pieces, 'base64'),
    };
  }

  close(): void {
    this.#reader?.close();
  }
}

function parsed(text: string): Partial<Checkpoint & FileSums> {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? value : {};
}

function checkpointOf(line: string): Checkpoint | null {
  const { count, offset, head, line: at } = parsed(line);
  if (count === undefined || offset === undefined || head === undefined || at === undefined) return null;
  return { count, offset, head, line: at };
}

function sumsOf(line: string): FileSums | null {
  const { index, blocks, pieces } = parsed(line);
  if (index === undefined || blocks === undefined) return null;
  return pieces === undefined ? { index, blocks } : { index, blocks, pieces };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
