import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';

/** A destination of log lines. */
export interface LineSink {
  write(line: string): void;
}

const maxFileBytes = 2 * 1024 * 1024;
const maxWaitingBytes = 64 * 1024;
const writeEveryMs = 500;
// Of pino's lines, which begin with `{"level":`: 40 is a warning.
const levelAt = 9;

/** The files of the log in a data directory, the older one first. */
export function logFiles(dataDir: string): readonly [older: string, newer: string] {
  return [path.join(dataDir, 'logs', 'service.1.log'), path.join(dataDir, 'logs', 'service.log')];
}

/**
 * Keeps the last lines of the log in two small files, for where standard error is not kept: behind
 * a window, or after a crash. Lines are buffered for half a second, except warnings and worse.
 * Lines that cannot be written are dropped: a full disk must not stop the service.
 */
export class LogFile implements LineSink {
  readonly #files: readonly [older: string, newer: string];
  readonly #also: LineSink;
  readonly #maxBytes: number;
  #waiting: string[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #descriptor: number | null = null;
  #size = 0;

  /** @param also a second destination, written to immediately. */
  constructor(dataDir: string, also: LineSink, maxBytes = maxFileBytes) {
    this.#files = logFiles(dataDir);
    this.#also = also;
    this.#maxBytes = maxBytes;
  }

  write(line: string): void {
    this.#also.write(line);
    this.#waiting.push(line);
    this.#bytes += line.length;
    if ((line[levelAt] ?? '') >= '4' || this.#bytes > maxWaitingBytes) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), writeEveryMs).unref();
  }

  /** Writes the buffered lines. */
  flush(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#bytes = 0;
    if (text === '') return;
    try {
      if (this.#size > this.#maxBytes) this.#turn();
      this.#descriptor ??= this.#open();
      this.#size += writeSync(this.#descriptor, text);
    } catch {
      // The lines are on standard error. The next line tries again, because the disk may have been
      // replaced.
      this.#releaseWaiting();
    }
  }

  close(): void {
    this.flush();
    this.#releaseWaiting();
  }

  #releaseWaiting(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    if (descriptor === null) return;
    try {
      closeSync(descriptor);
    } catch {
      // It is closed; some disks report only now that they were full.
    }
  }

  #open(): number {
    const [, newer] = this.#files;
    mkdirSync(path.dirname(newer), { recursive: true, mode: 0o700 });
    const descriptor = openSync(newer, 'a', 0o600);
    this.#size = fstatSync(descriptor).size;
    return descriptor;
  }

  #turn(): void {
    this.#releaseWaiting();
    this.#size = 0;
    renameSync(this.#files[1], this.#files[0]);
  }
}

/** The last whole lines of the log, of at most `maxBytes`. */
export function lastLines(dataDir: string, maxBytes: number): readonly string[] {
  const text = logFiles(dataDir)
    .map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
    .join('');
  const end = text.slice(-maxBytes);
  const lines = end.split('\n').filter((line) => line !== '');
  return end.length < text.length ? lines.slice(1) : lines;
}
