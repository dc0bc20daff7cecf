import type { Bench, BenchDetail, BenchSummary } from '../../../src-main/service/contract/fleet/fleet.ts';
import type { FakeAnswer } from './fake-answer.ts';

export interface FakeFleetOptions {
  readonly benches?: number;
  /** Nobody is heard. */
  readonly cutOff?: boolean;
}

const gib = 1024 ** 3;
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const ranks = { silent: 0, unheard: 1, reporting: 4, away: 3, asleep: 5, closed: 6 } as const;
const instruments = ['nmr-400', 'ms-orbitrap', 'afm', 'xrd', 'confocal', 'cryo', 'laser', 'spectrometer'];

function benchOf(index: number, more: Partial<Bench> = {}): Bench {
  const free = 120 + ((index * 97) % 800);
  return {
    id: `bench-${String(index).padStart(3, '0')}`,
    name: `${instruments[index % instruments.length]}-${index}`,
    reported_name: `${instruments[index % instruments.length]}-${index}`,
    version: '0.1.0',
    platform: index % 3 === 0 ? 'win32 10.0.19045' : 'linux 6.8.0',
    uptime_seconds: 86_400 * (index % 12),
    disks: [
      { what: 'data', name: '', free_bytes: free * gib, size_bytes: 1000 * gib },
      { what: 'watched', name: 'runs', free_bytes: 900 * gib, size_bytes: 4000 * gib },
    ],
    copies: { waiting: 0, waiting_bytes: 0, oldest_since: null, failed: 0 },
    runs: { growing: index % 4 === 0 ? 1 : 0, stuck: 0 },
    rules: { watching: 1, paused: 0, unreachable: 0 },
    jobs_failed: 0,
    last_run: {
      id: `run-2026-${String(index).padStart(4, '0')}`,
      title: 'Overnight series',
      registered_at: ago(index * 13 + 4),
    },
    errors: { unresolved: index % 5, events_last_hour: 0 },
    note: '',
    expected: 'usual',
    username: 'alice',
    state: 'reporting',
    since: ago(600),
    heard_at: ago(0.5),
    first_heard_at: ago(60 * 24 * 90),
    clock_ahead_ms: (index * 37) % 900,
    is_older: false,
    concerns: [],
    ...more,
  };
}

/** The first ones are in each of the states, so that a few show all. */
const special: readonly Partial<Bench>[] = [
  { state: 'silent', since: ago(42), heard_at: ago(42), concerns: ['silent'], note: 'Room 12' },
  {
    concerns: ['disk-full', 'backlog-old'],
    disks: [{ what: 'data', name: '', free_bytes: 9 * gib, size_bytes: 500 * gib }],
    copies: { waiting: 214, waiting_bytes: 840 * gib, oldest_since: ago(60 * 50), failed: 0 },
  },
  {
    concerns: ['runs-stuck', 'rules-unreachable'],
    runs: { growing: 2, stuck: 3 },
    rules: { watching: 2, paused: 0, unreachable: 1 },
  },
  { concerns: ['clock-off'], clock_ahead_ms: -3_640_000, version: '0.0.9', is_older: true },
  { concerns: ['errors'], errors: { unresolved: 17, events_last_hour: 230 } },
  { state: 'away', since: ago(60 * 11), heard_at: ago(60 * 11) },
  { copies: { waiting: 3, waiting_bytes: 12 * gib, oldest_since: ago(20), failed: 0 }, clock_ahead_ms: 4200 },
  { state: 'asleep', since: ago(95), heard_at: ago(95) },
  { state: 'closed', since: ago(60 * 13), heard_at: ago(60 * 13), last_run: null },
];

/** The benches that report to the fake. */
export function fakeFleet({ benches: count = 0, cutOff = false }: FakeFleetOptions) {
  const isHeard = (bench: Bench): boolean => !cutOff || bench.state !== 'reporting';
  let benches: readonly Bench[] = Array.from({ length: count }, (_, index) => benchOf(index, special[index])).map(
    (bench): Bench =>
      isHeard(bench)
        ? bench
        : { ...bench, state: 'unheard', since: ago(12), heard_at: ago(12), concerns: ['unheard', ...bench.concerns] },
  );
  const needs = (bench: Bench): boolean => bench.concerns.length > 0;
  const isGone = ({ state }: Bench): boolean => state === 'closed' || state === 'asleep' || state === 'away';
  const rank = (bench: Bench): number => (bench.state === 'reporting' && needs(bench) ? 2 : ranks[bench.state]);
  const summary = (): BenchSummary => ({
    all: benches.length,
    attention: benches.filter(needs).length,
    reporting: benches.filter(({ state }) => state === 'reporting').length,
    gone: benches.filter(isGone).length,
    unheard_since: cutOff ? ago(12) : null,
  });
  const listed = (query: URLSearchParams): readonly Bench[] => {
    const [filter, search] = [query.get('filter'), (query.get('search') ?? '').toLowerCase()];
    const found = benches.filter(
      (bench) =>
        bench.name.toLowerCase().includes(search) &&
        (filter === 'attention'
          ? needs(bench)
          : filter === 'gone'
            ? isGone(bench)
            : filter !== 'reporting' || bench.state === 'reporting'),
    );
    const sorted =
      query.get('sort') === 'name'
        ? found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
        : found.toSorted((a, b) => rank(a) - rank(b));
    return query.get('order') === 'desc' ? sorted.toReversed() : sorted;
  };
  return (
    method: string,
    [what = '', id = '']: readonly string[],
    query: URLSearchParams,
    body: Readonly<Record<string, unknown>>,
  ): (FakeAnswer & { readonly headers?: Record<string, string> }) | null => {
    if (what === '') return { status: 200, body: summary() };
    if (what !== 'benches') return null;
    if (id === '') {
      const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
      const all = listed(query);
      return {
        status: 200,
        body: all.slice((page - 1) * size, page * size),
        headers: { 'x-total': String(all.length) },
      };
    }
    const bench = benches.find((one) => one.id === id);
    if (bench === undefined) return { status: 404, body: { status: 404, detail: 'There is no bench with this id.' } };
    if (method === 'DELETE') {
      benches = benches.filter((one) => one !== bench);
      return { status: 204, body: undefined };
    }
    const { name, ...change } = body;
    const changed =
      method === 'PATCH' ? { ...bench, ...change, name: typeof name === 'string' ? name : bench.reported_name } : bench;
    benches = benches.map((one) => (one === bench ? changed : one));
    const detail: BenchDetail = {
      ...changed,
      absences: [1, 2, 3, 6].map((day) => ({ from: ago(day * 1440 + 380), until: ago(day * 1440 - 420) })),
    };
    return { status: 200, body: detail };
  };
}
