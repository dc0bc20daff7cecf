import type { Fetch, FetchFile, FetchLogLine } from '../../../src-main/service/contract/fetches.ts';

export const gib = 1024 ** 3;
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** Sample transfers, each in a different state. */
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

/** One of each, in the order of the list. */
export const allKinds: readonly FetchKind[] = [
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

const titles = [
  'Quantum memory readout',
  'Mass spectrum of the blank',
  'Photoluminescence of a perovskite film',
  'Powder diffraction, capillary',
];

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
      return {
        state: 'running',
        phase: 'verifying',
        started_at: ago(9),
        seconds_left: 22,
        bytes_done: total,
        bytes_verified: 0.62 * total,
        files_done: 746,
      };
    case 'listing':
      return {
        state: 'running',
        phase: 'listing',
        started_at: ago(0),
        files_total: null,
        bytes_total: null,
        connections: 1,
      };
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
      return {
        state: 'asking',
        reason: 'certificate',
        message: 'The certificate of bench-3 is another one than the one that was compared.',
      };
    case 'paused':
      return { state: 'paused', bytes_done: 0.3 * total, bytes_verified: 0.28 * total, started_at: ago(200) };
    case 'failed':
      return {
        state: 'failed',
        reason: 'checksum-mismatch',
        message:
          'raw/frame-00017.dat arrived twice with a wrong checksum: 1c291ca3 is listed, 9be3e0a3 came. Ask the owner to verify the measurement.',
        bytes_done: 0.98 * total,
        bytes_verified: 0.97 * total,
        started_at: ago(60),
        ended_at: ago(14),
      };
    case 'cancelled':
      return { state: 'cancelled', started_at: ago(60), ended_at: ago(50) };
    case 'done':
      return {
        state: 'done',
        files_done: 1204,
        bytes_done: total,
        bytes_verified: total,
        started_at: ago(300),
        ended_at: ago(240),
        verified_at: ago(240),
      };
  }
}

/** The transfer with this number, in the state of its kind. */
export function fetchOf(id: number, kind: FetchKind): Fetch {
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
    silent_seconds: null,
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

/** The files of a transfer at its current progress. */
export function filesOf(fetch: Fetch): FetchFile[] {
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

export const log: FetchLogLine[] = [
  { id: 1, at: ago(9), level: 'info', message: 'The list of files was read: 1204 files, 38.2 GiB.' },
  {
    id: 2,
    at: ago(6),
    level: 'warn',
    message: 'The connection was cut at byte 5368709120 of raw/frame-00003.dat. It goes on there in 5 s.',
  },
  {
    id: 3,
    at: ago(2),
    level: 'error',
    message: 'raw/frame-00017.dat arrived with a wrong checksum. It is fetched again from scratch.',
  },
];
