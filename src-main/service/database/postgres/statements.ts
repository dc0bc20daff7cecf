import type { ClientBase, Pool } from 'pg';
import { jsonRows } from '../port/json-rows.ts';
import type { Step } from '../port/database.ts';
import { textFor } from '../port/dialect.ts';
import type { QueryText } from '../port/query.ts';
import { UnstorableTextError } from './failures.ts';
import { compileQuery, type CompiledQuery } from './compile.ts';

interface Statement extends CompiledQuery {
  /** Under which each connection prepares it once; null for a text that is used once. */
  readonly name: string;
}

/** Runs a step on a connection or a pool. */
export type Perform = (on: ClientBase | Pool, step: Step) => Promise<unknown>;

/** Prepared statements, each compiled when it is first run. */
export function preparedStatements(): Perform {
  const statements = new WeakMap<QueryText, Statement>();
  // Queries that are put together anew have equal texts: they share a name, of which connections
  // keep one statement.
  const names = new Map<string, string>();

  function statementOf(query: QueryText): Statement {
    const known = statements.get(query);
    if (known) return known;
    const compiled = compileQuery(textFor('postgres', query.text));
    const name = names.get(compiled.text) ?? `q${names.size + 1}`;
    names.set(compiled.text, name);
    const statement = { ...compiled, name };
    statements.set(query, statement);
    return statement;
  }

  return async (on, { how, query, values }) => {
    const { text, name, valuesOf } = statementOf(query);
    const given = valuesOf(how === 'rows' ? [{ rows: jsonRows(values[0] as readonly object[]) }] : values);
    if (given.some(isUnstorable)) {
      // No stored text contains NUL.
      if (!query.writes) return how === 'all' ? [] : null;
      throw new UnstorableTextError();
    }
    const found = await on.query<unknown[]>({
      text,
      name,
      values: given,
      rowMode: query.firstColumn ? 'array' : undefined,
    } as never);
    if (how === 'run' || how === 'rows') return found.rowCount ?? 0;
    const rows: unknown[] = query.firstColumn ? found.rows.map((row) => row[0]) : found.rows;
    return how === 'all' ? rows : (rows[0] ?? null);
  };
}

function isUnstorable(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}
