import type { ErrorEvent, ErrorException, StackFrame } from '../../contract/errors.ts';
import type { Normaliser } from './normalise-values.ts';
import { asRecord } from './event-json.ts';

const maxExceptions = 50;
const maxThreads = 200;
const maxFrames = 250;
const newestFrames = 200;
const maxTotalFrames = 2000;
const maxContextLines = 50;
const maxVars = 1000;
const maxLineLength = 2000;
const maxNameLength = 1024;
const maxValueLength = 16 * 1024;

/**
 * Reads a list in the three shapes that SDKs send: an array, an array under `values`, or a single
 * item. Entries that are empty or not objects are omitted.
 */
export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap((one) => nonEmpty(one));
  const record = asRecord(value);
  if (record === null || !('values' in record)) return nonEmpty(value);
  return Array.isArray(record['values']) ? recordsOf(record['values']) : nonEmpty(record['values']);
}

function nonEmpty(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const record = asRecord(value);
  return record === null || Object.keys(record).length === 0 ? [] : [record];
}

/**
 * Normalises the exceptions and threads of one event; the number of their frames is limited
 * together.
 */
export class StackNormaliser {
  readonly #normaliser: Normaliser;
  #frames = 0;

  constructor(normaliser: Normaliser) {
    this.#normaliser = normaliser;
  }

  exceptions(value: unknown, plainStack: unknown): ErrorException[] {
    const records = recordsOf(value);
    // The newest exception is the last, and the one that was reported.
    const kept = records.slice(-maxExceptions);
    if (kept.length < records.length) this.#normaliser.shortened = true;
    const single = kept.length === 1;
    return kept.map((one) => this.#exception(one, single ? plainStack : undefined));
  }

  #exception(one: Readonly<Record<string, unknown>>, plainStack: unknown): ErrorException {
    const mechanism = asRecord(one['mechanism']);
    const handled = mechanism?.['handled'];
    return {
      type: this.#normaliser.name(one['type'], maxNameLength),
      value: this.#normaliser.text(one['value'], maxValueLength),
      module: this.#normaliser.name(one['module'], maxNameLength),
      handled: typeof handled === 'boolean' ? handled : null,
      synthetic: mechanism?.['synthetic'] === true,
      frames: this.frames(one['stacktrace'] ?? plainStack),
    };
  }

  threads(value: unknown): ErrorEvent['threads'] {
    const records = recordsOf(value);
    return this.#normaliser.first(records, maxThreads).map((one) => ({
      id: this.#normaliser.name(one['id'], 100),
      name: this.#normaliser.name(one['name'], maxNameLength),
      crashed: one['crashed'] === true,
      current: one['current'] === true,
      frames: this.frames(one['stacktrace']),
    }));
  }

  /**
   * Reads the frames of a stack trace, oldest first; of an endless recursion only the outermost and
   * the newest.
   */
  frames(stack: unknown): StackFrame[] {
    const list = Array.isArray(stack) ? stack : asRecord(stack)?.['frames'];
    const records = (Array.isArray(list) ? list : []).map(asRecord).filter((one) => one !== null);
    const max = Math.min(maxFrames, maxTotalFrames - this.#frames);
    const kept =
      records.length <= max
        ? records
        : [...records.slice(0, Math.max(max - newestFrames, 0)), ...last(records, Math.min(max, newestFrames))];
    if (kept.length < records.length) this.#normaliser.shortened = true;
    this.#frames += kept.length;
    return kept.map((one) => this.#frame(one));
  }

  #frame(one: Readonly<Record<string, unknown>>): StackFrame {
    const before = this.#lines(one['pre_context']);
    const after = this.#lines(one['post_context']);
    return {
      function: this.#normaliser.name(one['function'] ?? one['raw_function'], maxNameLength),
      module: this.#normaliser.name(one['module'], maxNameLength),
      filename: this.#normaliser.name(one['filename'], maxNameLength),
      abs_path: this.#normaliser.name(one['abs_path'], maxNameLength),
      line: lineNumber(one['lineno']),
      column: lineNumber(one['colno']),
      in_app: one['in_app'] === true,
      // Null marks lines before the first or after the last line of the file; null between lines
      // becomes an empty line, so that distances are preserved.
      pre_context: before.slice(before.findIndex((line) => line !== null)).map((line) => line ?? ''),
      context_line: this.#line(one['context_line']),
      post_context: after.slice(0, after.findLastIndex((line) => line !== null) + 1).map((line) => line ?? ''),
      vars: this.#normaliser.values(Array.isArray(one['vars']) ? this.#byPosition(one['vars']) : one['vars']),
    };
  }

  #byPosition(list: readonly unknown[]): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#normaliser.first(list, maxVars).entries());
  }

  #lines(value: unknown): readonly (string | null)[] {
    const lines = Array.isArray(value)
      ? this.#normaliser.first(value, maxContextLines).map((line) => this.#line(line))
      : [];
    return lines.some((line) => line !== null) ? lines : [];
  }

  /** Ruby sends lines with their line ends. */
  #line(value: unknown): string | null {
    const line = this.#normaliser.text(value, maxLineLength);
    return line !== null && line.endsWith('\n') ? line.replace(/\r?\n$/, '') : line;
  }
}

function last<T>(list: readonly T[], count: number): readonly T[] {
  return count > 0 ? list.slice(-count) : [];
}

function lineNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
