import { boundedJson } from './bounded-json.ts';
import { asRecord } from './event-json.ts';

const placeholder = /%\((\w{1,100})\)[sdifr]|\{(\w{0,100})\}|%([sdifr%])/g;

/**
 * Fills the parameters of a log message into its template: `%s` and `{}` from a list, `%(name)s`
 * and `{name}` from an object. A placeholder without a parameter stays as it is.
 *
 * @param params normalised. Each is converted to text at most once, however often it is named.
 * @param maxCharacters for all parameters together: a template of 16 KiB can name one parameter
 * thousands of times, so the product has to be bounded.
 * @returns null when the parameters are neither a list nor an object.
 */
export function fillTemplate(template: string, params: unknown, maxCharacters: number): string | null {
  if (typeof params !== 'object' || params === null) return null;
  const named = asRecord(params);
  const list: readonly unknown[] = Array.isArray(params) ? params : [];
  const texts = new Map<string | number, string>();
  let room = maxCharacters;
  let next = 0;

  function textOf(key: string | number, value: unknown): string {
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = typeof value === 'string' ? value : boundedJson(value, maxCharacters);
    texts.set(key, text);
    return text;
  }

  return template.replaceAll(placeholder, (whole, byPercent?: string, byBrace?: string, letter?: string) => {
    if (letter === '%') return '%';
    const name = byPercent ?? byBrace;
    const position = name !== undefined && /^\d+$/.test(name) ? Number(name) : next;
    if (named === null && (name === undefined || name === '')) next += 1;
    const key = named === null ? position : (name ?? '');
    const value: unknown =
      named === null ? list[position] : name !== undefined && Object.hasOwn(named, name) ? named[name] : undefined;
    if (value === undefined) return whole;
    const text = textOf(key, value).slice(0, room);
    room -= text.length;
    return text;
  });
}
