import type Database from 'better-sqlite3';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { compileQuery } from '../../../src-main/service/database/postgres/compile.ts';
import { textFor } from '../../../src-main/service/database/port/dialect.ts';

interface Answer {
  readonly rows?: readonly Record<string, unknown>[];
  readonly count?: number;
  readonly error?: string;
}

type Ask = (text: string, values?: readonly unknown[]) => Answer;

/** Starts a thread with a connection. Each request waits for its answer. */
function startThread(url: string): Ask {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./beside-worker.ts', import.meta.url), {
    workerData: { url, port: port2, signal },
    transferList: [port2],
    execArgv: [],
  });
  worker.unref();
  port1.unref();
  return (text, values = []) => {
    Atomics.store(signal, 0, 0);
    port1.postMessage({ text, values });
    Atomics.wait(signal, 0, 0);
    const answer = (receiveMessageOnPort(port1)?.message ?? {}) as Answer;
    if (answer.error !== undefined) throw new Error(`${answer.error}: ${text}`);
    return answer;
  };
}

/** Threads that nobody uses, by address: to start one and to connect blocks the test for long. */
const idle = new Map<string, Ask[]>();

/** The calls of better-sqlite3 that tests make, on PostgreSQL: a thread runs each while this one waits. */
export function besidePostgres(url: string): Database.Database {
  const ask = idle.get(url)?.pop() ?? startThread(url);
  const exec = (text: string): void => void ask(inPostgres(text));

  function prepare(sql: string, plucked = false) {
    const { text, valuesOf } = compileQuery(inPostgres(sql));
    const query = (values: readonly unknown[]): Answer =>
      ask(text, valuesOf(Array.isArray(values[0]) ? (values[0] as unknown[]) : values));
    const shown = (row: Record<string, unknown>): unknown => {
      const entries = Object.entries(row).map(
        ([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value) : value] as const,
      );
      return plucked ? entries[0]?.[1] : Object.fromEntries(entries);
    };
    return {
      all: (...values: unknown[]) => (query(values).rows ?? []).map(shown),
      get: (...values: unknown[]) => (query(values).rows ?? []).map(shown)[0],
      run: (...values: unknown[]) => {
        const { rows = [], count = 0 } = query(values);
        return { changes: count, lastInsertRowid: Number(rows[0]?.['id'] ?? 0) };
      },
      pluck: () => prepare(sql, true),
    };
  }
  function transaction(work: (...values: unknown[]) => unknown) {
    const run = (...values: unknown[]): unknown => {
      exec('BEGIN');
      try {
        const result = work(...values);
        exec('COMMIT');
        return result;
      } catch (error) {
        exec('ROLLBACK');
        throw error;
      }
    };
    return Object.assign(run, { immediate: run });
  }
  return {
    prepare: (sql: string) => prepare(sql),
    exec,
    transaction,
    pragma: () => undefined,
    close: () => {
      try {
        ask('DISCARD ALL');
        idle.set(url, [...(idle.get(url) ?? []), ask]);
      } catch {
        // Its database was removed.
      }
    },
  } as unknown as Database.Database;
}

function inPostgres(sql: string): string {
  return textFor('postgres', sql)
    .replaceAll(/\bx'([\da-f]*)'/gi, String.raw`'\x$1'::bytea`)
    .replaceAll(/\bWHERE 1\b/g, 'WHERE TRUE');
}
