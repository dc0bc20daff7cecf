import { perEngine } from './dialect.ts';

/** A value of a parameter. Times are milliseconds since 1970, flags are 0 or 1. */
export type SqlValue = string | number | Uint8Array | null;

/** Parameters by position (`?`), as a tuple, or by name (`@name`), as an object. */
export type Parameters = readonly SqlValue[] | object;

/** The arguments with which a query is run: the tuple's members, or the object. */
export type Arguments<P extends Parameters> = P extends readonly SqlValue[] ? P : readonly [P];

declare const types: unique symbol;

/** A query without the types of its parameters and rows. */
export interface QueryText {
  readonly text: string;
  /** Rows are given as the value of their first column. */
  readonly firstColumn: boolean;
  readonly writes: boolean;
}

interface Typed<P extends Parameters, Row> {
  /** Carries the types of parameters and rows; never set. */
  readonly [types]?: (parameters: P) => Row;
}

/** A query that only reads; made once, and prepared by a database when it is first run. */
export interface ReadQuery<P extends Parameters, Row> extends QueryText, Typed<P, Row> {
  readonly writes: false;
}

/** A query that writes, and may return rows (`RETURNING`). */
export interface WriteQuery<P extends Parameters, Row> extends QueryText, Typed<P, Row> {
  readonly writes: true;
}

export function read<P extends Parameters, Row>(text: string): ReadQuery<P, Row> {
  return { text, firstColumn: false, writes: false };
}

/** A query of one column. */
export function readValue<P extends Parameters, Value extends SqlValue>(text: string): ReadQuery<P, Value> {
  return { text, firstColumn: true, writes: false };
}

export function write<P extends Parameters, Row = never>(text: string): WriteQuery<P, Row> {
  return { text, firstColumn: false, writes: true };
}

/**
 * An INSERT of one row that returns its `id`, which must be a number that the database gives.
 * SQLite knows it without RETURNING, which costs half as much again.
 */
export function insertId<P extends Parameters>(text: string): WriteQuery<P, number> {
  return { text: perEngine(text, `${text} RETURNING id`), firstColumn: true, writes: true };
}

/** A query that writes and returns one column. */
export function writeValue<P extends Parameters, Value extends SqlValue>(text: string): WriteQuery<P, Value> {
  return { text, firstColumn: true, writes: true };
}
