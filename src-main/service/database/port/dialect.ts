/** The engines that run the queries. */
export type Engine = 'sqlite' | 'postgres';

// Characters that occur in no query.
const begin = '⟪';
const between = '‖';
const end = '⟫';
const innermost = /⟪([^⟪‖⟫]*)‖([^⟪‖⟫]*)⟫/gu;

/** A part of a query that the engines write differently; `textFor` picks one of the two. */
export function perEngine(sqlite: string, postgres: string): string {
  return `${begin}${sqlite}${between}${postgres}${end}`;
}

/** The text of a query for one engine. */
export function textFor(engine: Engine, text: string): string {
  let picked = text;
  while (picked.includes(begin))
    picked = picked.replaceAll(innermost, (_all, sqlite: string, postgres: string) =>
      engine === 'sqlite' ? sqlite : postgres,
    );
  return picked;
}

/**
 * The condition that an expression is in a list of integers.
 *
 * @param list a parameter (`@name` or `?`) that holds the list as JSON.
 */
export function inNumbers(expression: string, list: string): string {
  return perEngine(
    `${expression} IN (SELECT value FROM json_each(${list}))`,
    `${expression} = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(${list} AS jsonb))::bigint))`,
  );
}

/** `inNumbers` for a list of texts. */
export function inTexts(expression: string, list: string): string {
  return perEngine(
    `${expression} IN (SELECT value FROM json_each(${list}))`,
    `${expression} = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(${list} AS jsonb))))`,
  );
}

/** A list of integers as a table with the column `value`; see `inNumbers`. */
export function numbersOf(list: string): string {
  return perEngine(
    `json_each(${list})`,
    `(SELECT CAST(jsonb_array_elements_text(CAST(${list} AS jsonb)) AS bigint) AS value)`,
  );
}

/** A list of texts as a table with the column `value`. */
export function textsOf(list: string): string {
  return perEngine(`json_each(${list})`, `(SELECT jsonb_array_elements_text(CAST(${list} AS jsonb)) AS value)`);
}

/**
 * Rows given as JSON (see `jsonRows`), as a table. Only PostgreSQL, whose statements for sets of rows
 * have one text for any number of them.
 *
 * @param columns names and types, such as `id bigint, name text`.
 */
export function rowsOf(parameter: string, columns: string): string {
  return `json_to_recordset(CAST(${parameter} AS json)) AS x (${columns})`;
}

/** Locks the rows of a query until the transaction ends; SQLite has one writer. */
export const lockingRows = perEngine('', 'FOR NO KEY UPDATE');

/** Locks the rows of these tables of a join, in this order. */
export function lockingRowsOf(...tables: readonly string[]): string {
  return perEngine('', `FOR NO KEY UPDATE OF ${tables.join(', ')}`);
}

/** A join that SQLite performs in the order of its tables; PostgreSQL chooses by itself. */
export const joinInOrder = perEngine('CROSS JOIN', 'JOIN');

/** The index that SQLite has to use; PostgreSQL chooses by itself. */
export function indexedBy(index: string): string {
  return perEngine(`INDEXED BY ${index}`, '');
}

/**
 * A column that is unique and compared without regard to the case of ASCII letters, or a value
 * that it is compared with. SQLite has it in the column (NOCASE), PostgreSQL in an index.
 */
export function ignoringCase(expression: string): string {
  return perEngine(expression, `lower(${expression})`);
}

/** Whether a text matches a pattern of LIKE, without regard to the case of ASCII letters. */
export function like(expression: string, pattern: string): string {
  return perEngine(`${expression} LIKE ${pattern} ESCAPE '\\'`, `${expression} ILIKE ${pattern} ESCAPE '\\'`);
}

/** Equality of values that may be null: null is the same as null. */
export function isSame(left: string, right: string): string {
  return perEngine(`${left} IS ${right}`, `${left} IS NOT DISTINCT FROM ${right}`);
}

export function isNotSame(left: string, right: string): string {
  return perEngine(`${left} IS NOT ${right}`, `${left} IS DISTINCT FROM ${right}`);
}

/** The LIMIT of all rows, which SQLite requires before OFFSET. */
export const noLimit = perEngine('LIMIT -1', 'LIMIT ALL');
