import { toUSVString } from 'node:util';
import { boundedJson } from './bounded-json.ts';
import { maxEventBytes } from './ingest-sizes.ts';
import { asRecord } from './event-json.ts';
import { filtered, isSecretName } from './secret-names.ts';

const maxDepth = 16;
const maxMembers = 1000;
const maxNodes = 20_000;
const maxNameLength = 200;
const maxTextLength = 64 * 1024;
const maxSmallEvent = 128 * 1024;
const maxGrowth = 4;

/**
 * Maximum number of characters of an event after normalising. Events of SDKs stay far below; it
 * bounds copies and repetitions of parts of an event that no other limit covers.
 */
export function outputBudget(sentCharacters: number): number {
  return maxSmallEvent + maxGrowth * sentCharacters;
}

/**
 * Whether the strings of a JSON text hold neither NUL nor surrogates; JSON can express both only as
 * escapes. Scanning the text once is cheaper than checking each string.
 */
export function isClean(json: string): boolean {
  return !json.includes('\\u') || (!json.includes('\\u0000') && !json.includes('\\ud') && !json.includes('\\uD'));
}

/**
 * Converts untrusted values to ones that can be stored and shown, and records whether anything was
 * cut. Values that need no change are returned without copying, because copying an event of 50 KB
 * took as long as parsing it.
 */
export class Normaliser {
  shortened = false;
  /** Whether an integer beyond 2^53 was found, which JSON.parse may have changed. */
  inexact = false;
  readonly #clean: boolean;
  #nodes = 0;
  #room: number;

  /**
   * @param clean whether no text among the values can hold NUL or a lone surrogate; see `isClean`.
   * @param maxCharacters of all returned texts together; further texts are empty. See
   * `outputBudget`.
   */
  constructor(clean = false, maxCharacters = outputBudget(maxEventBytes)) {
    this.#clean = clean;
    this.#room = maxCharacters;
  }

  /**
   * Returns a text of at most `maxLength` characters without NUL and lone surrogates. Numbers and
   * booleans become texts, objects become JSON.
   */
  text(value: unknown, maxLength: number): string | null {
    if (value === null || value === undefined) return null;
    if (typeof value === 'string') return this.#cleaned(value, maxLength);
    if (typeof value === 'object') return this.#cleaned(boundedJson(this.value(value), maxLength + 1), maxLength);
    return typeof value === 'number' || typeof value === 'boolean' ? String(this.value(value)) : null;
  }

  /** Works like `text`, trimmed, with null for an empty text. */
  name(value: unknown, maxLength: number): string | null {
    const text = this.text(value, maxLength)?.trim();
    return text === undefined || text === '' ? null : text;
  }

  /** Returns the first `max` entries of a list and records that the rest was dropped. */
  first<T>(list: readonly T[], max: number): readonly T[] {
    if (list.length <= max) return list;
    this.shortened = true;
    return list.slice(0, max);
  }

  /**
   * Returns the members of an object, or null when the value is not an object or has no members.
   */
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
      // JSON may have a member of this name, but assigning it to an object changes its prototype.
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
    // Does not split a surrogate pair.
    const end = (whole.charCodeAt(max - 1) & 0xfc00) === 0xd800 ? max - 1 : max;
    this.#room -= end;
    return toUSVString(whole.slice(0, end));
  }
}
