import type {
  Fetch,
  FetchActionRequest,
  FetchFile,
  FetchFilter,
  FetchPage,
} from '../../../src-main/service/contract/fetches.ts';
import type { FetchSettings } from '../../../src-main/service/contract/fetch-settings.ts';
import type { CopySettings } from '../../../src-main/service/contract/copies/copies.ts';
import type { FakeAnswer } from './fake-answer.ts';
import { fakeFetchReceipts } from './fake-fetch-receipts.ts';
import { allKinds, fetchOf, filesOf, gib, log, type FetchKind } from './fake-fetch-data.ts';

export interface FakeFetchOptions {
  /** One of each in this order, then repetitions of the last kind. */
  readonly kinds?: readonly FetchKind[];
  readonly count?: number;
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
  'keep-both': { state: 'queued', reason: null, message: null, ended_at: null },
  cancel: { state: 'cancelled', phase: null, ended_at: new Date().toISOString() },
  verify: { state: 'running', phase: 'verifying', ended_at: null, bytes_verified: 0 },
};

const fileFilters: Readonly<Record<string, (file: FetchFile) => boolean>> = {
  all: () => true,
  open: ({ state }) => state === 'waiting' || state === 'partial',
  failed: ({ state }) => state === 'failed',
  done: ({ state }) => state === 'done',
};

export type FakeFetches = ReturnType<typeof fakeFetches>;

/**
 * The routes of fetches, in memory.
 * @param changed called after each change of the list.
 */
export function fakeFetches(options: FakeFetchOptions, changed: () => void) {
  const kinds = options.kinds ?? (options.count === undefined ? [] : allKinds);
  let fetches = Array.from({ length: options.count ?? kinds.length }, (_, place) =>
    fetchOf(place + 1, kinds[Math.min(place, kinds.length - 1)] ?? 'done'),
  );
  const receipts = fakeFetchReceipts();
  let copySettings: CopySettings = { at_most: 2, speed_limit: null, schedule: null };
  let settings: FetchSettings = {
    at_most: 3,
    connections: 4,
    speed_limit: null,
    schedule: null,
    target: '/home/alice/measurements',
  };
  const put = (next: Fetch): void => {
    fetches = fetches.map((one) => (one.id === next.id ? next : one));
  };

  function list(query: URLSearchParams): FetchPage {
    const search = (query.get('search') ?? '').toLowerCase();
    const found = fetches.filter((one) =>
      `${one.title ?? ''} ${one.measurement_id} ${one.server_name}`.toLowerCase().includes(search),
    );
    const queued = found.filter(filters[(query.get('filter') ?? 'all') as FetchFilter]);
    const sign = query.get('order') === 'desc' ? -1 : 1;
    const shown =
      query.get('sort') === 'size'
        ? queued.toSorted((one, other) => sign * ((one.bytes_total ?? 0) - (other.bytes_total ?? 0)))
        : queued;
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
    else if (action === 'clear') fetches = fetches.filter((one) => !(meant.has(one.id) && filters.done(one)));
    else if (action === 'pause' && ids === 'all')
      fetches = fetches.map((one) => (filters.active(one) ? { ...one, ...after['pause'] } : one));
    else if (action === 'resume' && ids === 'all')
      fetches = fetches.map((one) => (one.state === 'paused' ? { ...one, ...after['resume'] } : one));
    else if (action === 'first')
      fetches = [...fetches.filter(({ id }) => meant.has(id)), ...fetches.filter(({ id }) => !meant.has(id))];
    else fetches = fetches.map((one) => (meant.has(one.id) ? { ...one, ...after[action] } : one));
    changed();
    return meant.size;
  }

  function answerOf(
    method: string,
    fetch: Fetch,
    rest: readonly string[],
    query: URLSearchParams,
    body: unknown,
  ): FakeAnswer | null {
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
        return {
          status: 200,
          body: { items: found.slice(offset, offset + Number(query.get('limit') ?? 100)), total: found.length },
        };
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
      case 'GET receipt':
      case 'POST receipt':
        return receipts(method, fetch);
      default:
        return null;
    }
  }

  return {
    /** The current fetches, which tests change and then announce as an event. */
    list: () => fetches,
    put,
    /** Answers a route below `local/`; null for other routes. */
    answer(
      method: string,
      [what = '', id = '', ...rest]: readonly string[],
      query: URLSearchParams,
      body: unknown,
    ): FakeAnswer | null {
      if (what === 'fetch-settings') {
        if (method === 'PUT') settings = body as FetchSettings;
        return { status: 200, body: settings };
      }
      if (what === 'copy-settings') {
        if (method === 'PUT') copySettings = body as CopySettings;
        return { status: 200, body: copySettings };
      }
      if (what === 'copies')
        return { status: 200, body: { items: [], total: 0, counts: { all: 0, active: 0, verified: 0, failed: 0 } } };
      if (what === 'fetch-folder') {
        const path = query.get('path') ?? '';
        const there = !path.startsWith('/media');
        return {
          status: 200,
          body: {
            path,
            exists: there,
            writable: there,
            free_bytes: there ? (path.includes('small') ? gib : 412 * gib) : null,
          },
        };
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
      if (id === 'many' && method === 'DELETE') return { status: 204, body: null };
      if (id === 'many') {
        const wanted = body as { measurements: { id: string; title?: string }[]; paused?: boolean };
        const results = wanted.measurements.map((one) => {
          if (fetches.some((fetch) => fetch.measurement_id === one.id)) {
            const detail = 'This is already being fetched into this folder.';
            return { measurement_id: one.id, fetch: null, problem: { status: 409, type: 'fetch-exists', detail } };
          }
          const fetch = {
            ...fetchOf(fetches.length + 1, wanted.paused === true ? 'paused' : 'queued'),
            measurement_id: one.id,
            title: one.title ?? null,
          };
          fetches = [fetch, ...fetches];
          return { measurement_id: one.id, fetch, problem: null };
        });
        changed();
        return { status: 200, body: { results } };
      }
      if (id === 'actions') return { status: 200, body: { changed: act(body as FetchActionRequest) } };
      const fetch = fetches.find((each) => String(each.id) === id);
      if (fetch === undefined)
        return {
          status: 404,
          body: {
            type: 'about:blank',
            title: 'Not found',
            status: 404,
            detail: 'There is no such transfer. It may have been removed from the list.',
          },
        };
      return answerOf(method, fetch, rest, query, body);
    },
  };
}
