import { filtered, isSecretName } from './secret-names.ts';

// A query, a fragment, a form: name=value after the beginning or one of their separators.
const pair = /(^|[?&#;])([^=&#;?\s]{1,200})=([^&#;\s]+)/g;
// A member of JSON that was sent, or cut, as text.
const member = /"([^"\\]{1,200})"(\s{0,20}:\s{0,20})("(?:[^"\\]|\\.)*"?|[^\s,[\]{}"]+)/g;
const password = /(:\/\/[^/?#@:\s]{0,200}):[^/?#@\s]{1,500}@/g;

/**
 * Addresses, queries, forms and JSON as texts, and headers and parameters as pairs, without the values whose names say that they may be secret.
 * What has none is handed over as it is.
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
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const kept = withoutSecrets(value);
    if (kept !== value) changed[name] = kept;
  }
  return Object.keys(changed).length === 0 ? record : { ...record, ...changed };
}

function hidden(text: string): string {
  let kept = text;
  if (kept.includes('=')) {
    kept = kept.replaceAll(pair, (whole, before: string, name: string) => (isSecretName(name) ? `${before}${name}=${filtered}` : whole));
  }
  if (kept.includes('@')) kept = kept.replaceAll(password, `$1:${filtered}@`);
  if (/^\s{0,20}[{[]/.test(kept)) {
    kept = kept.replaceAll(member, (whole, name: string, colon: string) => (isSecretName(name) ? `"${name}"${colon}"${filtered}"` : whole));
  }
  return kept;
}
