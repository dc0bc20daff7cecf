import type { Fetch, FetchPage } from '../../src-main/service/contract/fetches.ts';

/** A running fetch as the service reports it, with the given fields changed. */
export function aFetch(id: number, more: Partial<Fetch> = {}): Fetch {
  return {
    id,
    server_id: 1,
    server_name: 'lab',
    base_url: 'https://lab.example',
    measurement_id: `run-${id}`,
    title: null,
    what: 'files',
    target: `/data/run-${id}`,
    unpack: false,
    state: 'running',
    phase: 'fetching',
    reason: null,
    message: null,
    priority: 0,
    files_total: 10,
    files_done: 0,
    bytes_total: 1000,
    bytes_done: 0,
    bytes_verified: 0,
    bytes_per_second: 0,
    seconds_left: null,
    connections: 1,
    silent_seconds: null,
    stalled: false,
    attempts: 1,
    retry_at: null,
    created_at: '2026-11-21T10:00:00.000Z',
    started_at: '2026-11-21T10:00:00.000Z',
    ended_at: null,
    verified_at: null,
    ...more,
  };
}

export function aPage(items: readonly Fetch[]): FetchPage {
  return {
    items: [...items],
    total: items.length,
    counts: { all: items.length, active: 0, paused: 0, attention: 0, done: 0, failed: 0 },
  };
}
