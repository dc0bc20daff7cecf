import type { SqlValue } from '../port/query.ts';

/** The text of a query with `$1`, `$2` and so on, and the values in their order. */
export interface CompiledQuery {
  readonly text: string;
  readonly valuesOf: (given: readonly unknown[]) => SqlValue[];
}

// Strings, quoted names and comments are skipped; in the rest `?` and `@name` are parameters.
const token = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?|@([a-z_]\w*)/gi;

/**
 * Numbers the parameters of a query: PostgreSQL knows `$n` alone.
 *
 * @param text with `?`, or with `@name`, as the port has them.
 */
export function compileQuery(text: string): CompiledQuery {
  const names: string[] = [];
  let positions = 0;
  const compiled = text.replaceAll(token, (found, name: string | undefined) => {
    if (found === '?') {
      positions += 1;
      return `$${positions}`;
    }
    if (name === undefined) return found;
    const known = names.indexOf(name);
    return `$${known >= 0 ? known + 1 : names.push(name)}`;
  });
  if (names.length > 0 && positions > 0) throw new Error(`a query mixes ? and @name: ${text}`);
  return {
    text: compiled,
    valuesOf: valuesOf(names, positions, text),
  };
}

function valuesOf(names: readonly string[], positions: number, text: string): CompiledQuery['valuesOf'] {
  if (names.length > 0) return namedValues(names, text);
  // Values for parameters that a query does not have are left out, as SQLite does for names.
  return positions > 0 ? (given) => [...given] as SqlValue[] : () => [];
}

function namedValues(names: readonly string[], text: string): CompiledQuery['valuesOf'] {
  return ([given]) => {
    const values = given as Readonly<Record<string, SqlValue | undefined>>;
    return names.map((name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`the parameter @${name} has no value: ${text}`);
      return value;
    });
  };
}
