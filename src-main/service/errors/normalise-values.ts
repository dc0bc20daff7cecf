import { toUSVString } from 'node:util';
import { asRecord } from './parse-json.ts';
import { filtered, isSecretName } from './secret-names.ts';

const mostDepth = 16;
const mostMembers = 1000;
const mostNodes = 20_000;
const longestName = 200;
const longestText = 64 * 1024;

/** Brings a stranger's values to what can be stored and shown, and remembers whether anything was cut for it. */
export class Normaliser {
  shortened = false;
  #nodes = 0;

  /** A text without NUL and lone surrogates, at most so long; numbers and truth values as text, objects as JSON, null for nothing. */
  text(value: unknown, longest: number): string | null {
    if (value === null || value === undefined) return null;
    if (typeof value === 'string') return this.#clean(value, longest);
    if (typeof value === 'object') return this.#clean(JSON.stringify(this.value(value)), longest);
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
  }

  /** The same, with null for the empty text. */
  name(value: unknown, longest: number): string | null {
    const text = this.text(value, longest)?.trim();
    return text === undefined || text === '' ? null : text;
  }

  /** The first of a list, of which the rest is dropped. */
  first<T>(list: readonly T[], most: number): readonly T[] {
    if (list.length <= most) return list;
    this.shortened = true;
    return list.slice(0, most);
  }

  /** The members of an object, or null when it is none or has none. */
  values(value: unknown): Record<string, unknown> | null {
    const record = asRecord(value);
    return record === null || Object.keys(record).length === 0 ? null : this.#object(record, 0);
  }

  value(value: unknown, depth = 0): unknown {
    this.#nodes += 1;
    if (typeof value === 'string') return this.#clean(value, longestText);
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value !== 'object' || value === null) return value ?? null;
    if (depth >= mostDepth || this.#nodes > mostNodes) {
      this.shortened = true;
      return Array.isArray(value) ? '[...]' : '{...}';
    }
    if (Array.isArray(value)) return this.first(value, mostMembers).map((one) => this.value(one, depth + 1));
    return this.#object(value, depth);
  }

  #object(record: object, depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const [name, value] of this.first(Object.entries(record), mostMembers)) {
      const key = this.#clean(name, longestName);
      // Own members may have this name, but assigning to it anywhere later would change a prototype.
      if (key === '__proto__') this.shortened = true;
      else result[key] = isSecretName(key) && value !== null ? filtered : this.value(value, depth + 1);
    }
    return result;
  }

  #clean(text: string, longest: number): string {
    const whole = text.includes('\0') ? text.replaceAll('\0', '') : text;
    if (whole.length <= longest) return toUSVString(whole);
    this.shortened = true;
    // Not in the middle of a pair of surrogates.
    const end = (whole.charCodeAt(longest - 1) & 0xfc00) === 0xd800 ? longest - 1 : longest;
    return toUSVString(whole.slice(0, end));
  }
}
