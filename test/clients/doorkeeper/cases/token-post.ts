import type { Side } from '../side.ts';

export const path = '/oauth/token';
export const post = (side: Side, form: Readonly<Record<string, string>> | string, rest = {}) =>
  side.send({ path, form, ...rest });
export const without = (form: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)));
