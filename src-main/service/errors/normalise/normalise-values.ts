import { toUSVString } from 'node:util';
import { boundedJson } from './bounded-json.ts';
import { maxEventBytes } from './ingest-sizes.ts';
import { asRecord } from './parse-json.ts';
import { filtered, isSecretName } from './secret-names.ts';

const maxDepth = 16;
const maxMembers = 1000;
const maxNodes = 20_000;
const maxNameLength = 200;
const maxTextLength = 64 * 1024;
const maxSmallEvent = 128 * 1024;
const maxGrowth = 4;

/**
 * How many characters an event of so many may become. SDKs' events stay far below; it bounds whatever copies or repeats parts of an event, also where no
 * other limit foresees it.
 */
export function outputBudget(sentCharacters: number): number {
  return maxSmallEvent + maxGrowth * sentCharacters;
}

/** Whether the strings of a JSON text hold neither NUL nor surrogates: both can stand in it as escapes only. One look at the text is cheaper than one at each. */
export function isClean(json: string): boolean {
  return !json.includes('\\u') || (!json.includes('\\u0000') && !json.includes('\\ud') && !json.includes('\\uD'));
}

/**
 * Brings a stranger's values to what can be stored and shown, and remembers whether anything was cut for it. What needs no change is handed over as
 * it is, because copying an event of 50 KB took as long as reading it.
 */
export class Normaliser {
  shortened = false;
  /** Whether an integer beyond 2^53 was met, which JSON.parse may have changed. */
  inexact = false;
  readonly #clean: boolean;
  #nodes = 0;
  #room: number;

  /**
   * @param clean whether no text among the values can hold NUL or a lone surrogate; see `isClean`.
   * @param maxCharacters of all texts that are handed over, together; what comes after them is empty. See `outputBudget`.
   */
  constructor(clean = false, maxCharacters = outputBudget(maxEventBytes)) {
    this.#clean = clean;
    this.#room = maxCharacters;
  }

  /** A text without NUL and lone surrogates, at most so long; numbers and truth values as text, objects as JSON, null for nothing. */
  text(value: unknown, maxLength: number): string | null {
    if (value === null || value === undefined) return null;
    if (typeof value === 'string') return this.#cleaned(value, maxLength);
    if (typeof value === 'object') return this.#cleaned(boundedJson(this.value(value), maxLength + 1), maxLength);
    return typeof value === 'number' || typeof value === 'boolean' ? String(this.value(value)) : null;
  }

  /** The same, with null for the empty text. */
  name(value: unknown, maxLength: number): string | null {
    const text = this.text(value, maxLength)?.trim();
    return text === undefined || text === '' ? null : text;
  }

  /** The first of a list, of which the rest is dropped. */
  first<T>(list: readonly T[], max: number): readonly T[] {
    if (list.length <= max) return list;
    this.shortened = true;
    return list.slice(0, max);
  }

  /** The members of an object, or null when it is none or has none. */
  values(value: unknown): Readonly<Record<string, unknown>> | null {
    const record = asRecord(value);
    return record === null || Object.keys(record).length === 0 ? null : this.#object(record, 0);
  }

  value(value: unknown, depth = 0): unknown {
    this.#nodes += 1;
    if (typeof value === 'string') return this.#cleaned(value, maxTextLength);
    if (typeof value === 'number') return this.#number(value);
    if (typeof value !== 'object' || value === null) return value ?? null;
    if (depth >= maxDepth || this.#nodes > maxNodes) {
      this.shortened = true;
      return Array.isArray(value) ? '[...]' : '{...}';
    }
    return Array.isArray(value) ? this.#list(value, depth) : this.#object(value as Record<string, unknown>, depth);
  }

  #number(value: number): number | string {
    if (Number.isSafeInteger(value) || !Number.isInteger(value)) return Number.isFinite(value) ? value : String(value);
    this.inexact = true;
    return value;
  }

  #list(list: readonly unknown[], depth: number): readonly unknown[] {
    const some = this.first(list, maxMembers);
    let changed: unknown[] | null = null;
    for (let at = 0; at < some.length; at += 1) {
      const kept = this.value(some[at], depth + 1);
      if (changed === null && kept !== some[at]) changed = some.slice(0, at);
      changed?.push(kept);
    }
    return changed ?? some;
  }

  #object(record: Readonly<Record<string, unknown>>, depth: number): Readonly<Record<string, unknown>> {
    const all = Object.keys(record);
    const names = this.first(all, maxMembers);
    let changed: Record<string, unknown> | null = names.length < all.length ? {} : null;
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at] ?? '';
      const value = record[name];
      const key = this.#cleaned(name, maxNameLength);
      const kept = isSecretName(key) && value !== null ? filtered : this.value(value, depth + 1);
      if (changed === null && (key !== name || kept !== value || key === '__proto__')) {
        changed = Object.fromEntries(names.slice(0, at).map((before) => [before, record[before]]));
      }
      // Own members may have this name, but assigning to it anywhere later would change a prototype.
      if (key === '__proto__') this.shortened = true;
      else if (changed !== null) changed[key] = kept;
    }
    return changed ?? record;
  }

  #cleaned(text: string, maxLength: number): string {
    const whole = !this.#clean && text.includes('\0') ? text.replaceAll('\0', '') : text;
    const max = Math.min(maxLength, this.#room);
    if (whole.length <= max) {
      this.#room -= whole.length;
      return this.#clean ? whole : toUSVString(whole);
    }
    this.shortened = true;
    // Not in the middle of a pair of surrogates.
    const end = (whole.charCodeAt(max - 1) & 0xfc00) === 0xd800 ? max - 1 : max;
    this.#room -= end;
    return toUSVString(whole.slice(0, end));
  }
}
