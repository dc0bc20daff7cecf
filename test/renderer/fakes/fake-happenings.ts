import type { Happening, HappeningsSeen } from '../../../src-main/service/contract/notifications/happenings.ts';
import { answer, type FakeAnswer } from './fake-answer.ts';

export interface FakeHappeningOptions {
  /** How many there are, of all kinds. */
  readonly count?: number;
  readonly degraded?: number;
  readonly stuck?: number;
}

type Sample = Pick<Happening, 'kind' | 'subject' | 'title'> & Partial<Happening>;

const samples: readonly Sample[] = [
  {
    kind: 'degraded',
    subject: 'measurement:qmr-2026-114',
    title: 'Quartz resonance, 4 K to 300 K',
    measurement_id: 'qmr-2026-114',
  },
  {
    kind: 'error-new',
    subject: 'error:1',
    title: 'TimeoutError: stage 2 did not answer within 5000 ms',
    project_id: 1,
    project_path: 'lab/qmr',
  },
  {
    kind: 'error-storm',
    subject: 'project:1',
    title: 'Quartz (1 200 events within an hour, usually 12)',
    project_id: 1,
    project_path: 'lab/qmr',
  },
  { kind: 'run-stuck', subject: 'run:4', title: 'ms-run-0091: a file is still locked by the instrument' },
  {
    kind: 'copy-late',
    subject: 'measurement:ms-run-0088',
    title: 'to nas-3: nas-3.lab.example cannot be reached.',
    measurement_id: 'ms-run-0088',
  },
  { kind: 'disk-low', subject: 'disk:data', title: '4.2 GiB is free on the disk of the data folder' },
  { kind: 'backup-late', subject: 'backup', title: 'The last one is of 2026-11-02' },
  { kind: 'ending-soon', subject: 'token:3', title: 'The token ms-reader expires on 2026-12-03 (UTC)' },
  { kind: 'sign-in-new-place', subject: 'user:1', title: 'by Firefox from 192.0.2.17' },
];

/** Answers the routes of happenings; null for other routes. */
export function fakeHappenings(
  { count = 0, degraded = 0, stuck = 0 }: FakeHappeningOptions,
  announce: () => void,
): {
  readonly answer: (method: string, route: string, query: URLSearchParams, body: unknown) => FakeAnswer | null;
  readonly add: (one: Sample) => void;
} {
  let rows: readonly Happening[] = [];
  let [seenUntil, errorsUntil] = [0, 0];
  const add = (sample: Sample, agoMinutes = 0): void => {
    const id = rows.length + 1;
    const at = new Date(Date.now() - agoMinutes * 60_000).toISOString();
    const none = { measurement_id: null, project_id: null, project_path: null, seen: false };
    rows = [{ ...none, ...sample, id, at }, ...rows];
  };
  for (let at = count - 1; at >= 0; at -= 1) {
    const sample = samples[at % samples.length];
    if (sample) add(sample, 7 + at * 53);
  }
  const capped = (found: readonly Happening[]): number => Math.min(100, found.length);
  return {
    add: (one) => {
      add(one);
      announce();
    },
    answer: (method, route, query, body) => {
      if (route === 'user/happenings')
        return answer(
          200,
          rows.slice(0, Number(query.get('limit') ?? 50)).map((one) => ({ ...one, seen: one.id <= seenUntil })),
        );
      if (route === 'user/happenings/counts')
        return answer(200, {
          unseen: capped(rows.filter(({ id }) => id > seenUntil)),
          errors: capped(rows.filter(({ id, kind }) => kind === 'error-new' && id > errorsUntil)),
          degraded,
          stuck,
          newest: rows[0]?.id ?? 0,
        });
      if (method !== 'POST' || route !== 'user/happenings/seen') return null;
      const { until = 0, errors_until: ofErrors = 0 } = body as HappeningsSeen;
      [seenUntil, errorsUntil] = [Math.max(seenUntil, until), Math.max(errorsUntil, ofErrors)];
      announce();
      return { status: 204 };
    },
  };
}
