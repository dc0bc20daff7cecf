import type { Arguments, Parameters, QueryText, ReadQuery, WriteQuery } from './query.ts';

/** One query of a body, answered by the database that runs it. */
export interface Step {
  /**
   * `rows`: the value is a list of rows, each with the parameters of the query; `id`: the result is
   * the id of the inserted row.
   */
  readonly how: 'one' | 'all' | 'run' | 'rows' | 'id';
  readonly query: QueryText;
  readonly values: readonly unknown[];
}

/** A step that only reads. */
export interface ReadStep extends Step {
  readonly how: 'one' | 'all';
  readonly query: QueryText & { readonly writes: false };
}

/** The body of several reads that see one state of the database. */
export type Reading<Result> = Generator<ReadStep, Result, unknown>;

/**
 * The body of a transaction: a generator that yields queries. SQLite runs it within one turn of the
 * event loop; PostgreSQL awaits each query, and runs the whole body again after a conflict. It has
 * therefore no effects but its queries. A query that fails ends it: PostgreSQL refuses all others
 * of that transaction.
 */
export type Transaction<Result> = Generator<Step, Result, unknown>;

/** How much of a long read is done at once (`in-steps.ts`). */
export interface StepLimits {
  /** A step that takes longer is followed by a smaller one. */
  readonly maxMs: number;
  readonly maxRows: number;
}

/** Reads what is committed. */
export interface Reader {
  /** On SQLite a step blocks the event loop; on PostgreSQL each costs a way over the network. */
  readonly steps: StepLimits;
  /** The first row, or null. */
  one<P extends Parameters, Row>(query: ReadQuery<P, Row>, ...values: Arguments<P>): Promise<Row | null>;
  all<P extends Parameters, Row>(query: ReadQuery<P, Row>, ...values: Arguments<P>): Promise<readonly Row[]>;
  /** `all` for a query that may take long in spite of its limit: on SQLite it runs in a thread of its own. */
  allInBackground<P extends Parameters, Row>(
    query: ReadQuery<P, Row>,
    ...values: Arguments<P>
  ): Promise<readonly Row[]>;
  read<Result>(body: () => Reading<Result>): Promise<Result>;
}

/**
 * Work that jobs of one kind defer to the end of their transaction, such as updating counts of many
 * rows.
 */
export interface Gathered<State> {
  begin(): State;
  /**
   * Writes the state, before any job of another kind, which sees the effects of all jobs before it.
   */
  end(state: State): Transaction<void>;
}

/**
 * A database as stores see it. Writing happens in transactions; `run` and `returning` are
 * transactions of one statement.
 */
export interface Database extends Reader {
  /** @returns the number of rows written. */
  run<P extends Parameters, Row>(query: WriteQuery<P, Row>, ...values: Arguments<P>): Promise<number>;
  /** @returns the first row of RETURNING, or null when no row was written. */
  returning<P extends Parameters, Row>(query: WriteQuery<P, Row>, ...values: Arguments<P>): Promise<Row | null>;
  /** Takes the right to write at its start. */
  transaction<Result>(body: () => Transaction<Result>): Promise<Result>;
  /**
   * A transaction whose commit does not wait for the disk: a kill loses nothing, a power cut at most
   * the last second. On PostgreSQL others may commit between its statements, as in `batched`.
   */
  relaxed<Result>(body: () => Transaction<Result>): Promise<Result>;
  /** Waits until all relaxed transactions before it are on disk. */
  syncRelaxed(): Promise<void>;
  /**
   * A transaction during which nobody else writes to a table.
   *
   * @param effect called with the result of the body before the commit, and again if the transaction
   * has to be repeated.
   */
  alone<Result>(table: string, body: () => Transaction<Result>, effect: (result: Result) => void): Promise<Result>;
  /**
   * A transaction that may share its commit with others; resolves when it is on disk.
   *
   * @param weight duration of the work, in units of a row or two.
   */
  grouped<Result>(body: () => Transaction<Result>, weight?: number): Promise<Result>;
  /**
   * `grouped` for a body that locks the rows it judges (`lockingRows`). On PostgreSQL others may
   * commit between its statements (READ COMMITTED), and it waits where a serializable transaction
   * would run again.
   */
  locking<Result>(body: () => Transaction<Result>): Promise<Result>;
  /** `grouped` with work deferred to the end of the shared commit. */
  gathered<Result, State>(
    body: (state: State) => Transaction<Result>,
    gathered: Gathered<State>,
    weight?: number,
  ): Promise<Result>;
  /**
   * Work of which many requests have some at once, several pieces in one transaction. On PostgreSQL
   * others may commit between its statements (READ COMMITTED): a body locks what it changes, in one
   * order for all.
   *
   * @param body gives the result of each piece.
   * @param weightOf duration of a piece, in units of a row or two.
   * @returns a function that resolves when its piece is on disk.
   */
  batched<Item, Result>(
    body: (items: readonly Item[]) => Transaction<readonly Result[]>,
    weightOf?: (item: Item) => number,
  ): (item: Item) => Promise<Result>;
}
