import { filtered, isSecretName, mayNameSecret } from './secret-names.ts';

// Matches `name=value` in queries, fragments and forms, after the beginning or a separator.
const pair = /(^|[?&#;])([^=&#;?\s]{1,200})=([^&#;\s]+)/g;
// Matches a member of JSON in a text, which may have been cut off.
const member = /"([^"\\]{1,200})"(\s{0,20}:\s{0,20})("(?:[^"\\]|\\.)*"?|[^\s,[\]{}"]+)/g;
const password = /(:\/\/[^/?#@:\s]{0,200}):[^/?#@\s]{1,500}@/g;

/**
 * Replaces values that may be secrets by their names: in addresses, queries, forms and JSON given
 * as texts, and in headers and parameters given as pairs. A value without secrets is returned
 * without copying.
 *
 * @param value normalised: of bounded depth and size.
 */
export function withoutSecretTexts<T>(value: T): T {
  return withoutSecrets(value) as T;
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return hidden(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return changedMembers(value as Readonly<Record<string, unknown>>);
  const [name, of]: readonly unknown[] = value;
  if (value.length === 2 && typeof name === 'string' && of !== null && isSecretName(name)) return [name, filtered];
  const list = value.map(withoutSecrets);
  return list.some((one, at) => one !== value[at]) ? list : value;
}

function changedMembers(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | null = null;
  // By hand, because events have hundreds of breadcrumbs and hardly one that changes.
  for (const name of Object.keys(record)) {
    const value = record[name];
    const kept = withoutSecrets(value);
    if (kept !== value) (changed ??= { ...record })[name] = kept;
  }
  return changed ?? record;
}

function hidden(text: string): string {
  const kept = text.includes('@') ? text.replaceAll(password, `$1:${filtered}@`) : text;
  if (!mayNameSecret(kept)) return kept;
  const pairs = kept.replaceAll(pair, (whole, before: string, name: string) =>
    isSecretName(name) ? `${before}${name}=${filtered}` : whole,
  );
  if (!/^\s{0,20}[{[]/.test(pairs)) return pairs;
  return pairs.replaceAll(member, (whole, name: string, colon: string) =>
    isSecretName(name) ? `"${name}"${colon}"${filtered}"` : whole,
  );
}
