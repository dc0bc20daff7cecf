import type { Fetch, FetchReason } from '../api/requests/types.ts';
import {
  endedFetchStates,
  fetchStageOf,
  fetchTransitions,
  type FetchEvent,
} from '../../src-shared/states/fetch-states.ts';
import { offers } from '../../src-shared/states/transitions.ts';
import { plainText } from '../../src-shared/format/shown-text.ts';

/** The title of a measurement, or its id where it has none. */
export function nameOf(fetch: Pick<Fetch, 'title' | 'measurement_id'>): string {
  return fetch.title === null || fetch.title === '' ? fetch.measurement_id : plainText(fetch.title);
}

export type FetchTone = 'ok' | 'warn' | 'bad' | 'quiet';
export type FetchSign =
  | 'queued'
  | 'listing'
  | 'fetching'
  | 'stalled'
  | 'verifying'
  | 'unpacking'
  | 'waiting'
  | 'resting'
  | 'asking'
  | 'paused'
  | 'done'
  | 'failed'
  | 'cancelled';

interface Status {
  readonly sign: FetchSign;
  readonly word: string;
  readonly tone: FetchTone;
}

const status = (sign: FetchSign, word: string, tone: FetchTone): Status => ({ sign, word, tone });

/**
 * The state of a fetch as a word with its icon. Verifying has a word of its own, so that no fetch
 * stays at 99 %.
 */
export function statusOf(fetch: Pick<Fetch, 'state' | 'phase' | 'reason' | 'stalled'>): Status {
  switch (fetch.state) {
    case 'running':
      if (fetch.stalled) return status('stalled', 'stalled', 'warn');
      if (fetch.phase === 'listing') return status('listing', 'reading list', 'quiet');
      if (fetch.phase === 'verifying') return status('verifying', 'verifying', 'quiet');
      if (fetch.phase === 'unpacking') return status('unpacking', 'unpacking', 'quiet');
      return status('fetching', 'fetching', 'quiet');
    case 'waiting':
      return fetch.reason === 'outside-hours'
        ? status('resting', 'off hours', 'quiet')
        : status('waiting', 'waiting', 'warn');
    case 'asking':
      return status('asking', 'needs you', 'warn');
    case 'failed':
      return status('failed', 'failed', 'bad');
    case 'done':
      return status('done', 'done', 'ok');
    case 'cancelled':
      return status('cancelled', 'stopped', 'quiet');
    case 'queued':
    case 'paused':
      return status(fetch.state, fetch.state, 'quiet');
  }
}

const reasons: Readonly<Record<FetchReason, string>> = {
  unreachable: 'The server cannot be reached.',
  'server-busy': 'The server is busy.',
  'server-failed': 'The server failed.',
  certificate: "The server's certificate is not trusted.",
  'token-refused': 'The server does not accept the token.',
  'no-access': 'The token may not read this measurement.',
  'not-found': 'The server no longer has this measurement.',
  'disk-full': 'The disk is full.',
  'target-missing': 'The folder does not exist.',
  'target-unwritable': 'The folder is not writable.',
  'target-busy': 'Another download into this folder is running.',
  'name-taken': 'Another file already has this name.',
  'checksum-mismatch': 'What was received differs from the list of the server: the checksums do not match.',
  'length-mismatch': 'What was received has a different length than the list of the server says.',
  'manifest-changed': 'The measurement has changed on the server since the fetch began.',
  'file-changed': 'A file has changed on the server since the fetch began.',
  'bad-manifest': "The server's list of files cannot be read.",
  'bad-path': 'The list of files has paths outside the folder.',
  'bad-answer': 'The server sent an unexpected answer.',
  redirected: 'The server redirects to another address, where the token must not be sent.',
  'bad-archive': 'The ZIP cannot be unpacked.',
  'outside-hours': 'It continues in the hours that the schedule allows.',
  'files-failed': 'Some files could not be fetched.',
  unexpected: 'Something unexpected happened.',
};

/**
 * Why a fetch is stopped, or could not be verified, in the service's words where it sends any; null
 * when all is well.
 */
export function troubleOf(fetch: Pick<Fetch, 'state' | 'reason' | 'message' | 'stalled'>): string | null {
  if (fetch.state === 'running' && fetch.stalled)
    return 'Nothing has arrived for fifteen seconds. It continues as soon as the server sends again.';
  if (!['waiting', 'asking', 'failed', 'done'].includes(fetch.state)) return null;
  return fetch.message ?? (fetch.reason === null ? null : reasons[fetch.reason]);
}

/** The one action that lets a fetch continue. */
export type Remedy = 'token' | 'folder' | 'keep-both' | 'certificate' | 'room' | 'again';

/** The action that lets a fetch continue; null when it needs none. */
export function remedyOf(fetch: Pick<Fetch, 'state' | 'reason'>): Remedy | null {
  if (fetch.state === 'failed' && fetch.reason === 'name-taken') return 'keep-both';
  if (fetch.state === 'failed' || fetch.state === 'cancelled') return 'again';
  if (fetch.state !== 'asking') return null;
  return (fetch.reason === null ? undefined : remedies[fetch.reason]) ?? 'again';
}

const remedies: Readonly<Partial<Record<FetchReason, Remedy>>> = {
  'token-refused': 'token',
  'no-access': 'token',
  'name-taken': 'keep-both',
  'target-missing': 'folder',
  'target-unwritable': 'folder',
  certificate: 'certificate',
  'disk-full': 'room',
};

export const remedyWords: Readonly<Record<Remedy, string>> = {
  token: 'New token',
  folder: 'Choose folder',
  'keep-both': 'Keep both',
  certificate: 'Show details',
  room: 'Try again',
  again: 'Try again',
};

/** The actions available for a fetch in its state. */
export const may = {
  // A fetch that needs the user has stopped already.
  pause: (fetch: Fetch): boolean => fetch.state !== 'asking' && takes(fetch, 'pause'),
  resume: (fetch: Fetch): boolean => takes(fetch, 'resume'),
  retry: (fetch: Fetch): boolean => takes(fetch, 'retry'),
  keepBoth: (fetch: Fetch): boolean => fetch.reason === 'name-taken' && takes(fetch, 'keep-both'),
  // A failed fetch is retried, which also verifies the bytes that are there.
  verify: (fetch: Fetch): boolean => fetch.state !== 'failed' && takes(fetch, 'verify'),
  stop: (fetch: Fetch): boolean => takes(fetch, 'cancel'),
  order: (fetch: Fetch): boolean => !hasEnded(fetch),
} as const;

function takes(fetch: Fetch, event: FetchEvent): boolean {
  return offers(fetchTransitions, fetchStageOf(fetch), event);
}

/** Whether it has ended. */
export function hasEnded({ state }: Pick<Fetch, 'state'>): boolean {
  return endedFetchStates.includes(state);
}

export interface Progress {
  /** Between 0 and 1; null while the total is unknown. */
  readonly fetched: number | null;
  readonly verified: number;
  /** Whole percent of the current phase, never 100 before its end; null without a total. */
  readonly percent: number | null;
  /** The phase that the percent refers to. */
  readonly counts: 'fetched' | 'verified';
}

/** Progress of a fetch: bytes on disk, verified bytes, and the current phase. */
export function progressOf(
  fetch: Pick<Fetch, 'state' | 'phase' | 'bytes_total' | 'bytes_done' | 'bytes_verified'>,
): Progress {
  const counts =
    fetch.state === 'running' && (fetch.phase === 'verifying' || fetch.phase === 'unpacking') ? 'verified' : 'fetched';
  const total = fetch.bytes_total;
  if (fetch.state === 'done') return { fetched: 1, verified: 1, percent: 100, counts };
  if (total === null) return { fetched: null, verified: 0, percent: null, counts };
  const share = (bytes: number): number => (total === 0 ? 0 : Math.min(1, Math.max(0, bytes / total)));
  const [fetched, verified] = [share(fetch.bytes_done), share(fetch.bytes_verified)];
  return {
    fetched,
    verified,
    percent: Math.min(99, Math.floor((counts === 'verified' ? verified : fetched) * 100)),
    counts,
  };
}
