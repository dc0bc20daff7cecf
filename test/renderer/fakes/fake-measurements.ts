import type { Download } from '../../../src-main/service/contract/downloads.ts';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import type { Grant, MeasurementSummary } from '../../../src-main/service/contract/measurements.ts';
import { answer, refused, type FakeAnswer } from './fake-answer.ts';
import { fakeRunErrors } from './fake-timeline.ts';
import { alice, filesOf, manyMeasurements } from './fake-data.ts';
import { fakeRemoved, type FakeRemoved } from './fake-removed.ts';
import { fakeFolder } from './fake-folders.ts';

export interface FakeMeasurementNeeds {
  readonly count: number;
  /** How many were removed before. */
  readonly removed: number;
  /** Number of files of each measurement; null for different ones. */
  readonly files: number | null;
  readonly emit: (event: 'changed', data: unknown) => void;
  readonly addJob: (job: Pick<Job, 'kind' | 'measurement_id'>) => Job;
}

export interface FakeMeasurements {
  readonly removed: FakeRemoved;
  has(id: string): boolean;
  /** Adds a measurement that is being registered. */
  add(id: string, title: string): void;
  /** Answers requests below `measurements/`. */
  answer(
    method: string,
    id: string,
    rest: string,
    query: URLSearchParams,
    body: Readonly<Record<string, string | undefined>>,
  ): FakeAnswer;
}

type Body = Parameters<FakeMeasurements['answer']>[4];

/** A page of fifty downloads of a measurement. */
function fakeDownloads(measurementId: string, page: number): readonly Download[] {
  const ends = ['running', 'whole', 'part', 'failed', 'list', 'whole'] as const;
  return Array.from({ length: 50 }, (_, position) => {
    const begun = Date.now() - (position + page * 50) * 1_900_000;
    const outcome = ends[(position + (page > 1 ? 1 : 0)) % ends.length] ?? 'whole';
    return {
      id: position + page * 100,
      started_at: new Date(begun).toISOString(),
      last_at: new Date(begun + position * 17_000).toISOString(),
      username: position % 3 === 0 ? 'alice' : 'bob',
      token_name: position % 3 === 0 ? null : 'ms-reader',
      application_name: null,
      address: '192.168.4.17',
      user_agent: 'curl/8.14.1',
      measurement_id: measurementId,
      file_count: 20_000,
      files_whole: outcome === 'whole' ? 20_000 : outcome === 'list' ? 0 : position * 31,
      as_archive: position % 6 === 5,
      requests: 20_001,
      bytes_sent: outcome === 'list' ? 0 : (position + 1) * 91_312_211,
      outcome,
      reason: outcome === 'failed' ? 'client-closed' : null,
    };
  });
}

/** Measurements with their files, grants and transfers. */
export function fakeMeasurements({
  count,
  removed: removedBefore,
  files: each,
  emit,
  addJob,
}: FakeMeasurementNeeds): FakeMeasurements {
  let measurements: MeasurementSummary[] = manyMeasurements(count).map((one) =>
    each === null ? one : { ...one, file_count: each, total_bytes: each * 2_100_000 },
  );
  const removed = fakeRemoved(removedBefore, (measurement) => {
    measurements = [measurement, ...measurements];
    emit('changed', { topic: 'measurements', id: measurement.id });
  });
  let grants: Grant[] = [
    {
      id: 1,
      subject: 'user',
      user: 'bob',
      project: null,
      until: new Date(Date.now() + 5 * 86_400_000).toISOString(),
      created_at: alice.created_at,
    },
    { id: 2, subject: 'project', user: null, project: 'beamtime/2026-3', until: null, created_at: alice.created_at },
  ];
  const detailOf = (measurement: MeasurementSummary) => ({
    ...measurement,
    archive_bytes: measurement.total_bytes + 22,
    download_url: `http://127.0.0.1:7420/measurements/${measurement.id}`,
    manifest_url: `http://127.0.0.1:7420/measurements/${measurement.id}/files/`,
    may_manage: true,
    left_out: null,
    root: measurement.storage === 'reference' ? `/data/instrument/2026/11/${measurement.id}` : null,
  });

  function list(query: URLSearchParams): FakeAnswer {
    const search = (query.get('search') ?? '').toLowerCase();
    const sort = (query.get('sort') ?? 'created_at') as keyof MeasurementSummary;
    const sign = query.get('order') === 'asc' ? 1 : -1;
    const found = measurements
      .filter((one) => one.id.includes(search) || one.title.toLowerCase().includes(search))
      .toSorted((one, other) => {
        const [left, right] = [one[sort], other[sort]];
        return (
          sign *
          (typeof left === 'number' && typeof right === 'number'
            ? left - right
            : JSON.stringify(left) < JSON.stringify(right)
              ? -1
              : 1)
        );
      });
    const page = Number(query.get('page') ?? 1);
    const size = Number(query.get('per_page') ?? 20);
    return answer(200, found.slice((page - 1) * size, page * size), { 'x-total': String(found.length) });
  }

  function files(measurement: MeasurementSummary, query: URLSearchParams): FakeAnswer {
    const after = Number(query.get('after') ?? -1);
    const limit = Number(query.get('limit') ?? 100);
    const search = (query.get('search') ?? '').toLowerCase();
    const all = filesOf(measurement).filter(
      (file) => (query.get('problems') !== 'true' || file.state !== 'ok') && file.path.toLowerCase().includes(search),
    );
    const rest = all.filter((file) => file.index > after);
    const page = rest.slice(0, limit);
    const total = after < 0 ? { count: all.length, complete: true } : null;
    return answer(200, { files: page, next: rest.length > limit ? (page.at(-1)?.index ?? null) : null, total });
  }

  function measurementRoute(method: string, id: string, rest: string, query: URLSearchParams, body: Body): FakeAnswer {
    const measurement = measurements.find((one) => one.id === id);
    if (measurement === undefined)
      return refused(404, 'Not found', `There is no measurement "${id}", or you may not read it.`);
    switch (`${method} ${rest}`) {
      case 'GET ':
        return answer(200, detailOf(measurement));
      case 'PATCH ':
        measurements = measurements.map((one) => (one.id === id ? { ...one, title: String(body['title']) } : one));
        emit('changed', { topic: 'measurements', id });
        return measurementRoute('GET', id, '', query, body);
      case 'DELETE ':
        measurements = measurements.filter((one) => one.id !== id);
        removed.add(measurement);
        emit('changed', { topic: 'measurements', id });
        return answer(204, undefined);
      case 'GET files':
        return files(measurement, query);
      case 'GET folders':
        return fakeFolder(filesOf(measurement), query);
      case 'GET checksums':
        return {
          status: 200,
          text: filesOf(measurement)
            .map((file) => `${file.sha256}  ${file.path}\n`)
            .join(''),
        };
      case 'GET errors':
        return answer(200, fakeRunErrors(45, Number(query.get('cursor') ?? 0)));
      case 'GET grants':
        return answer(200, grants);
      case 'POST grants': {
        const grant: Grant = {
          id: grants.length + 10,
          subject: body['user'] === undefined ? (body['project'] === undefined ? 'everyone' : 'project') : 'user',
          user: body['user'] ?? null,
          project: body['project'] ?? null,
          until: body['until'] ?? null,
          created_at: new Date().toISOString(),
        };
        grants = [...grants, grant];
        return answer(201, grant);
      }
      case 'GET downloads': {
        const page = Number(query.get('page') ?? 1);
        return answer(200, fakeDownloads(id, page), { 'x-total': '120' });
      }
      case 'GET transfers': {
        const page = Number(query.get('page') ?? 1);
        const records = Array.from({ length: 50 }, (_, position) => ({
          id: position + page * 100,
          started_at: new Date(Date.now() - (position + page * 50) * 1_900_000).toISOString(),
          ended_at: position === 0 && page === 1 ? null : new Date().toISOString(),
          user: position % 3 === 0 ? 'alice' : 'bob',
          token: position % 3 === 0 ? null : 'ms-reader',
          application: null,
          address: '192.168.4.17',
          what: (['archive', 'file', 'manifest'] as const)[position % 3],
          file_index: position % 3 === 1 ? position * 31 : null,
          path:
            position % 3 === 1
              ? `raw/detector ${position % 4}/frame-${String(position * 31).padStart(5, '0')}.dat`
              : null,
          range: position % 6 === 1 ? 'bytes=1048576-2097151' : null,
          status: position % 11 === 5 ? 409 : position % 6 === 1 ? 206 : 200,
          bytes_sent: position * 91_312_211,
          outcome:
            position === 0
              ? null
              : position % 11 === 5
                ? 'file-changed'
                : position % 7 === 4
                  ? 'client-closed'
                  : 'complete',
          user_agent: 'curl/8.14.1',
          requests: 1,
        }));
        return answer(200, records, { 'x-total': '120' });
      }
      case 'POST verify':
        return answer(202, addJob({ kind: 'verify', measurement_id: id }));
      default:
        if (method === 'DELETE' && rest.startsWith('grants/')) {
          grants = grants.filter((grant) => grant.id !== Number(rest.slice(7)));
          return answer(204, undefined);
        }
        return refused(404, 'Not found', 'There is no such route.');
    }
  }

  return {
    removed,
    has: (id) => measurements.some((one) => one.id === id),
    add: (id, title) => {
      const template = manyMeasurements(1)[0];
      if (template !== undefined)
        measurements = [
          { ...template, id, title, state: 'registering', created_at: new Date().toISOString() },
          ...measurements,
        ];
      emit('changed', { topic: 'measurements' });
    },
    answer: (method, id, rest, query, body) =>
      method === 'GET' && id === '' ? list(query) : measurementRoute(method, id, rest, query, body),
  };
}
