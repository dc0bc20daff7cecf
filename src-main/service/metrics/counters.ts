import type { Family } from './metric-text.ts';

interface Definition {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /**
   * Label values that exist from the start with zero: Prometheus cannot compute a rate from a
   * series that does not exist.
   */
  readonly known: readonly (readonly string[])[];
}

const once: readonly (readonly string[])[] = [[]];
const each = (...values: readonly string[]): readonly (readonly string[])[] => values.map((value) => [value]);

const storageOperations = ['put', 'read', 'length', 'remove', 'list'] as const;
export type StorageOperation = (typeof storageOperations)[number];

/** Counters since the start of the process. */
const definitions = {
  sign_ins: {
    name: 'benchport_sign_ins_total',
    help: 'Sign-ins with a browser that went through, by what was proven.',
    labels: ['method'],
    known: each('password'),
  },
  sign_in_failures: {
    name: 'benchport_sign_in_failures_total',
    help: 'Passwords and codes that were refused, by reason.',
    labels: ['reason'],
    known: each('wrong password', 'wrong second factor', 'account locked', 'account blocked'),
  },
  tokens: {
    name: 'benchport_tokens_issued_total',
    help: 'Tokens that were given out, by what they came of.',
    labels: ['grant'],
    known: each('code', 'refresh', 'password', 'implicit', 'device', 'personal'),
  },
  token_refusals: {
    name: 'benchport_token_refusals_total',
    help: 'Codes and refresh tokens that were presented and refused, by reason.',
    labels: ['grant', 'reason'],
    known: [],
  },
  audit: {
    name: 'benchport_audit_events_total',
    help: 'Rows of the audit trail but for transfers, by action.',
    labels: ['action'],
    known: [],
  },
  transfers: {
    name: 'benchport_transfers_total',
    help: 'Transfers of measurements that ended, by what was sent and how they ended.',
    labels: ['kind', 'outcome'],
    known: ['manifest', 'file', 'archive'].map((kind) => [kind, 'complete']),
  },
  transfer_bytes: {
    name: 'benchport_transfer_sent_bytes_total',
    help: 'Bytes of measurements that were sent, by what was sent.',
    labels: ['kind'],
    known: each('manifest', 'file', 'archive'),
  },
  events: {
    name: 'benchport_error_events_total',
    help: 'Events of SDKs, by what became of them: accepted, duplicate, or why they were dropped.',
    labels: ['outcome'],
    known: each('accepted', 'duplicate', 'rate-limit', 'busy', 'too-large', 'malformed'),
  },
  fetch_bytes: {
    name: 'benchport_fetch_received_bytes_total',
    help: 'Bytes that came from other servers.',
    labels: [],
    known: once,
  },
  fetch_runs: {
    name: 'benchport_fetch_runs_total',
    help: 'Runs of fetches that ended, by how: retry is tried again by itself, ask waits for the user.',
    labels: ['outcome'],
    known: each('done', 'stopped', 'retry', 'ask', 'failed'),
  },
  fetch_troubles: {
    name: 'benchport_fetch_troubles_total',
    help: 'Runs of fetches that did not get to their end, by reason; server-busy is a server that limits us.',
    labels: ['reason'],
    known: each('server-busy'),
  },
  fetch_restarts: {
    name: 'benchport_fetch_restarts_total',
    help: 'Files that were fetched once more from their first byte.',
    labels: [],
    known: once,
  },
  jobs: {
    name: 'benchport_jobs_ended_total',
    help: 'Jobs that stopped running, by kind and the state they stopped in.',
    labels: ['kind', 'state'],
    known: [],
  },
  storage_operations: {
    name: 'benchport_object_storage_operations_total',
    help: 'Operations on the object storage with all their retries, by how they ended; canceled ones were no longer wanted.',
    labels: ['operation', 'outcome'],
    known: storageOperations.map((operation) => [operation, 'done']),
  },
  storage_seconds: {
    name: 'benchport_object_storage_operation_seconds_total',
    help: 'Time that operations on the object storage took.',
    labels: ['operation'],
    known: each(...storageOperations),
  },
  storage_bytes: {
    name: 'benchport_object_storage_bytes_total',
    help: 'Bytes of objects that were read from the object storage or stored in it.',
    labels: ['operation'],
    known: each('read', 'put'),
  },
  own_errors: {
    name: 'benchport_own_errors_total',
    help: 'Errors of Benchport itself, by what became of them: recorded, off, limited, or failed to be recorded.',
    labels: ['outcome'],
    known: each('recorded', 'limited', 'failed'),
  },
} as const satisfies Readonly<Record<string, Definition>>;

export type CounterName = keyof typeof definitions;

// Senders choose the names of item types, and untrusted input must not create series without limit.
const maxSeries = 100;
const separator = '\u0000';

/** Counters in memory. */
export class Counters {
  readonly #values = new Map<CounterName, Map<string, number>>();

  constructor() {
    for (const name of names)
      this.#values.set(name, new Map(definitions[name].known.map((labels) => [labels.join(separator), 0])));
  }

  /** @param labels values of the counter's labels, in their order. */
  add(name: CounterName, labels: readonly string[] = [], by = 1): void {
    const values = this.#values.get(name);
    if (!values) return;
    let key = labels.join(separator);
    if (!values.has(key) && values.size >= maxSeries) key = labels.map(() => 'other').join(separator);
    values.set(key, (values.get(key) ?? 0) + by);
  }

  families(): readonly Family[] {
    return names.map((counter) => {
      const { name, help, labels } = definitions[counter];
      const samples = [...(this.#values.get(counter) ?? [])].map(([key, value]) => {
        const parts = key.split(separator);
        return { labels: Object.fromEntries(labels.map((label, index) => [label, parts[index] ?? ''])), value };
      });
      return { name, type: 'counter', help, samples };
    });
  }
}

const names = Object.keys(definitions) as readonly CounterName[];
