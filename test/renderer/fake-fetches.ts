import type { Fetch, FetchActionRequest, FetchFile, FetchFilter, FetchLogLine, FetchPage, FetchSettings } from '../../src-main/service/contract/fetches.ts';
import type { FakeAnswer } from './fake-answer.ts';

const gib = 1024 ** 3;
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** What a transfer is like; each has a state of its own kind. */
export type FetchKind =
  | 'fetching'
  | 'listing'
  | 'verifying'
  | 'stalled'
  | 'queued'
  | 'waiting'
  | 'resting'
  | 'no-token'
  | 'no-folder'
  | 'no-room'
  | 'no-trust'
  | 'paused'
  | 'done'
  | 'failed'
  | 'cancelled';

export interface FakeFetchOptions {
  /** One of each, in this order; beyond them the last kind again. */
  readonly kinds?: readonly FetchKind[];
  readonly count?: number;
}

const allKinds: readonly FetchKind[] = [
  'fetching',
  'verifying',
  'listing',
  'stalled',
  'queued',
  'waiting',
  'resting',
  'no-token',
  'no-folder',
  'no-room',
  'no-trust',
  'paused',
  'failed',
  'cancelled',
  'done',
];

const titles = ['Quantum memory readout', 'Mass spectrum of the blank', 'Photoluminescence of a perovskite film', 'Powder diffraction, capillary'];

function partOf(kind: FetchKind): Partial<Fetch> {
  const total = 38.2 * gib;
  switch (kind) {
    case 'fetching':
      return {
        state: 'running',
        phase: 'fetching',
        started_at: ago(4),
        bytes_per_second: 92_274_688,
        seconds_left: 253,
        connections: 6,
        bytes_done: 0.432 * total,
        bytes_verified: 0.391 * total,
        files_done: 471,
      };
    case 'verifying':
      return { state: 'running', phase: 'verifying', started_at: ago(9), seconds_left: 22, bytes_done: total, bytes_verified: 0.62 * total, files_done: 746 };
    case 'listing':
      return { state: 'running', phase: 'listing', started_at: ago(0), files_total: null, bytes_total: null, connections: 1 };
    case 'stalled':
      return {
        state: 'running',
        phase: 'fetching',
        stalled: true,
        started_at: ago(12),
        connections: 4,
        bytes_done: 0.77 * total,
        bytes_verified: 0.74 * total,
        files_done: 902,
      };
    case 'queued':
      return { state: 'queued' };
    case 'waiting':
      return {
        state: 'waiting',
        reason: 'server-busy',
        message: 'The server is busy and asks to come back later.',
        retry_at: new Date(Date.now() + 42_000).toISOString(),
        attempts: 3,
        bytes_done: 0.12 * total,
        bytes_verified: 0.11 * total,
        started_at: ago(30),
      };
    case 'resting':
      return { state: 'waiting', reason: 'outside-hours', message: 'It goes on today at 20:00, as the schedule says.' };
    case 'no-token':
      return {
        state: 'asking',
        reason: 'token-refused',
        message: 'bench-3 does not accept the token any more: it expired on 3 March. Give a new one.',
        bytes_done: 0.5 * total,
        bytes_verified: 0.5 * total,
      };
    case 'no-folder':
      return {
        state: 'asking',
        reason: 'target-missing',
        message: 'The folder /media/alice/disk-7 is not there. Plug the disk in, or choose another folder.',
        bytes_done: 0.2 * total,
        bytes_verified: 0.2 * total,
      };
    case 'no-room':
      return {
        state: 'asking',
        reason: 'disk-full',
        message: 'The disk is full: 21.6 GiB are needed, 1.2 GiB are free. Make room, then try again.',
        bytes_done: 0.43 * total,
        bytes_verified: 0.4 * total,
      };
    case 'no-trust':
      return { state: 'asking', reason: 'certificate', message: 'The certificate of bench-3 is another one than the one that was compared.' };
    case 'paused':
      return { state: 'paused', bytes_done: 0.3 * total, bytes_verified: 0.28 * total, started_at: ago(200) };
    case 'failed':
      return {
        state: 'failed',
        reason: 'checksum-mismatch',
        message: 'raw/frame-00017.dat arrived twice with a wrong checksum: 1c291ca3 is listed, 9be3e0a3 came. Ask the owner to verify the measurement.',
        bytes_done: 0.98 * total,
        bytes_verified: 0.97 * total,
        started_at: ago(60),
        ended_at: ago(14),
      };
    case 'cancelled':
      return { state: 'cancelled', started_at: ago(60), ended_at: ago(50) };
    case 'done':
      return { state: 'done', files_done: 1204, bytes_done: total, bytes_verified: total, started_at: ago(300), ended_at: ago(240), verified_at: ago(240) };
  }
}

function fetchOf(id: number, kind: FetchKind): Fetch {
  const measurement = `qmr-2026-${String(id).padStart(3, '0')}`;
  return {
    id,
    server_id: 1,
    server_name: 'bench-3',
    base_url: 'https://bench-3.lab.example',
    measurement_id: measurement,
    title: id % 5 === 4 ? null : `${titles[id % titles.length] ?? ''} ${id}`,
    what: id % 7 === 6 ? 'archive' : 'files',
    target: `/home/alice/measurements/${measurement}`,
    unpack: id % 7 === 6,
    state: 'queued',
    phase: null,
    reason: null,
    message: null,
    priority: 0,
    files_total: 1204,
    files_done: 0,
    bytes_total: Math.round(38.2 * gib),
    bytes_done: 0,
    bytes_verified: 0,
    bytes_per_second: 0,
    seconds_left: null,
    connections: 0,
    stalled: false,
    attempts: 1,
    retry_at: null,
    created_at: ago(400),
    started_at: null,
    ended_at: null,
    verified_at: null,
    ...rounded(partOf(kind)),
  };
}

function rounded(part: Partial<Fetch>): Partial<Fetch> {
  return {
    ...part,
    ...(part.bytes_done === undefined ? {} : { bytes_done: Math.round(part.bytes_done) }),
    ...(part.bytes_verified === undefined ? {} : { bytes_verified: Math.round(part.bytes_verified) }),
  };
}

const filters: Readonly<Record<FetchFilter, (fetch: Fetch) => boolean>> = {
  all: () => true,
  active: ({ state }) => state === 'queued' || state === 'running' || state === 'waiting',
  paused: ({ state }) => state === 'paused',
  attention: ({ state }) => state === 'asking',
  done: ({ state }) => state === 'done',
  failed: ({ state }) => state === 'failed' || state === 'cancelled',
};

const after: Readonly<Partial<Record<string, Partial<Fetch>>>> = {
  pause: { state: 'paused', phase: null, bytes_per_second: 0, seconds_left: null },
  resume: { state: 'queued', reason: null, message: null, retry_at: null },
  retry: { state: 'queued', reason: null, message: null, ended_at: null },
  cancel: { state: 'cancelled', phase: null, ended_at: new Date().toISOString() },
  verify: { state: 'running', phase: 'verifying', ended_at: null, bytes_verified: 0 },
};

function filesOf(fetch: Fetch): FetchFile[] {
  return Array.from({ length: fetch.files_total ?? 0 }, (_, index): FetchFile => {
    const length = 4096 + ((index * 7907) % 33_000_000);
    const failed = fetch.state === 'failed' && (index === 17 || index === 403);
    const done = fetch.state === 'done' || index < fetch.files_done;
    const partial = !done && !failed && index < fetch.files_done + 2 && fetch.bytes_done > 0;
    return {
      index,
      path: index === 0 ? 'README.txt' : `raw/detector ${index % 3}/frame-${String(index).padStart(5, '0')}.dat`,
      length,
      bytes_done: done ? length : partial ? Math.round(length * 0.6) : 0,
      state: failed ? 'failed' : done ? 'done' : partial ? 'partial' : 'waiting',
      skipped: index === 0,
      message: failed ? 'Wrong checksum twice: 1c291ca3 is listed, 9be3e0a3 came.' : null,
      verified_at: done ? ago(3) : null,
    };
  });
}

const fileFilters: Readonly<Record<string, (file: FetchFile) => boolean>> = {
  all: () => true,
  open: ({ state }) => state === 'waiting' || state === 'partial',
  failed: ({ state }) => state === 'failed',
  done: ({ state }) => state === 'done',
};

const log: FetchLogLine[] = [
  { id: 1, at: ago(9), level: 'info', message: 'The list of files was read: 1204 files, 38.2 GiB.' },
  { id: 2, at: ago(6), level: 'warn', message: 'The connection was cut at byte 5368709120 of raw/frame-00003.dat. It goes on there in 5 s.' },
  { id: 3, at: ago(2), level: 'error', message: 'raw/frame-00017.dat arrived with a wrong checksum. It is fetched again from scratch.' },
];

export type FakeFetches = ReturnType<typeof fakeFetches>;

/** The routes of fetches, in memory. `changed` is told of each change of the list. */
export function fakeFetches(options: FakeFetchOptions, changed: () => void) {
  const kinds = options.kinds ?? (options.count === undefined ? [] : allKinds);
  let fetches = Array.from({ length: options.count ?? kinds.length }, (_, place) => fetchOf(place + 1, kinds[Math.min(place, kinds.length - 1)] ?? 'done'));
  let settings: FetchSettings = { at_most: 3, connections: 4, speed_limit: null, schedule: null, target: '/home/alice/measurements' };
  const put = (next: Fetch): void => {
    fetches = fetches.map((one) => (one.id === next.id ? next : one));
  };

  function list(query: URLSearchParams): FetchPage {
    const search = (query.get('search') ?? '').toLowerCase();
    const found = fetches.filter((one) => `${one.title ?? ''} ${one.measurement_id} ${one.server_name}`.toLowerCase().includes(search));
    const shown = found.filter(filters[(query.get('filter') ?? 'all') as FetchFilter]);
    const offset = Number(query.get('offset') ?? 0);
    const count = (filter: FetchFilter): number => found.filter(filters[filter]).length;
    return {
      items: shown.slice(offset, offset + Number(query.get('limit') ?? 100)),
      total: shown.length,
      counts: {
        all: found.length,
        active: count('active'),
        paused: count('paused'),
        attention: count('attention'),
        done: count('done'),
        failed: count('failed'),
      },
    };
  }

  function act({ action, ids }: FetchActionRequest): number {
    const meant = new Set(ids === 'all' ? fetches.map(({ id }) => id) : ids);
    if (action === 'remove') fetches = fetches.filter(({ id }) => !meant.has(id));
    else if (action === 'pause' && ids === 'all') fetches = fetches.map((one) => (filters.active(one) ? { ...one, ...after['pause'] } : one));
    else if (action === 'resume' && ids === 'all') fetches = fetches.map((one) => (one.state === 'paused' ? { ...one, ...after['resume'] } : one));
    else if (action === 'first') fetches = [...fetches.filter(({ id }) => meant.has(id)), ...fetches.filter(({ id }) => !meant.has(id))];
    else fetches = fetches.map((one) => (meant.has(one.id) ? { ...one, ...after[action] } : one));
    changed();
    return meant.size;
  }

  function answerOf(method: string, fetch: Fetch, rest: readonly string[], query: URLSearchParams, body: unknown): FakeAnswer | null {
    switch (`${method} ${rest.map((part) => (/^\d+$/.test(part) ? ':n' : part)).join('/')}`) {
      case 'GET ':
        return { status: 200, body: fetch };
      case 'PATCH ':
        put({ ...fetch, ...(body as Partial<Fetch>) });
        changed();
        return { status: 200, body: fetches.find(({ id }) => id === fetch.id) };
      case 'GET files': {
        const found = filesOf(fetch).filter(fileFilters[query.get('filter') ?? 'all'] ?? (() => true));
        const offset = Number(query.get('offset') ?? 0);
        return { status: 200, body: { items: found.slice(offset, offset + Number(query.get('limit') ?? 100)), total: found.length } };
      }
      case 'GET files/:n/pieces':
        return {
          status: 200,
          body: {
            length: 1_000_000_000,
            done: [
              [0, 260_000_000],
              [333_000_000, 480_000_000],
              [666_000_000, 790_000_000],
            ],
            coming: [
              [260_000_000, 268_000_000],
              [480_000_000, 488_000_000],
              [790_000_000, 798_000_000],
            ],
          },
        };
      case 'GET log':
        return { status: 200, body: log };
      case 'POST stage':
        return { status: 200, body: { path: fetch.target, job: null } };
      default:
        return null;
    }
  }

  return {
    /** The fetches as they are, to be changed and told as an event. */
    list: () => fetches,
    put,
    /** Answers a route below `local/`; null for those that are none of these. */
    answer(method: string, [what = '', id = '', ...rest]: readonly string[], query: URLSearchParams, body: unknown): FakeAnswer | null {
      if (what === 'fetch-settings') {
        if (method === 'PUT') settings = body as FetchSettings;
        return { status: 200, body: settings };
      }
      if (what === 'fetch-folder') {
        const path = query.get('path') ?? '';
        const there = !path.startsWith('/media');
        return { status: 200, body: { path, exists: there, writable: there, free_bytes: there ? (path.includes('small') ? gib : 412 * gib) : null } };
      }
      if (what !== 'fetches') return null;
      if (id === '' && method === 'GET') return { status: 200, body: list(query) };
      if (id === '' && method === 'POST') {
        const wanted = body as Partial<Fetch> & { paused?: boolean };
        const added = {
          ...fetchOf(fetches.length + 1, wanted.paused === true ? 'paused' : 'queued'),
          measurement_id: wanted.measurement_id ?? '',
          title: wanted.title ?? null,
        };
        fetches = [added, ...fetches];
        changed();
        return { status: 202, body: added };
      }
      if (id === 'actions') return { status: 200, body: { changed: act(body as FetchActionRequest) } };
      const fetch = fetches.find((each) => String(each.id) === id);
      if (fetch === undefined)
        return {
          status: 404,
          body: { type: 'about:blank', title: 'Not found', status: 404, detail: 'There is no such transfer. It may have been removed from the list.' },
        };
      return answerOf(method, fetch, rest, query, body);
    },
  };
}
