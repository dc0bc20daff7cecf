import type { ErrorDetail, ErrorStatus, ErrorSummary } from '../../../src-main/service/contract/errors.ts';
import type { FakeAnswer } from './fake-answer.ts';
import { fakeErrorRuns } from './fake-timeline.ts';
import { type FakeErrorOptions, ago, eventOf, hostile, hour, projectsOf, summaryOf } from './fake-error-data.ts';

/** Projects and their errors in memory. Returns null for routes of other parts. */
export function fakeErrors(options: FakeErrorOptions, changed: (project: string) => void) {
  const projects = projectsOf(options);
  let errors = Array.from({ length: options.errors ?? 0 }, (_, number) => summaryOf(number + 1, options));

  function list(query: URLSearchParams): FakeAnswer {
    const parts = (query.get('query') ?? '').split(/\s+/).filter((part) => part !== '');
    const asked = parts.filter((part) => part.startsWith('is:')).map((part) => part.slice(3));
    if (asked.includes('wrong'))
      return {
        status: 400,
        body: { title: 'Bad request', status: 400, detail: 'After "is:" comes unresolved, resolved or ignored.' },
      };
    const sort = (query.get('sort') ?? 'last_seen') as 'last_seen' | 'first_seen' | 'events' | 'users';
    const found = errors
      .filter((error) => (asked.length === 0 ? ['unresolved'] : asked).includes(error.status))
      .filter((error) =>
        parts.every((part) => part.includes(':') || error.title.toLowerCase().includes(part.toLowerCase())),
      )
      .toSorted((one, other) => (one[sort] < other[sort] ? 1 : -1));
    const from = Number(query.get('cursor') ?? 0);
    const limit = Number(query.get('limit') ?? 50);
    return {
      status: 200,
      body: {
        errors: found.slice(from, from + limit),
        next: from + limit < found.length ? String(from + limit) : null,
        total: from === 0 ? found.length : null,
      },
    };
  }

  function detailOf(error: ErrorSummary): ErrorDetail {
    return {
      ...error,
      days: Array.from({ length: 14 }, (_, at) => (at * 37) % 90),
      releases: [
        { release: 'qmr@1.4.2', first_seen: ago(3 * 24 * hour) },
        { release: 'qmr@1.4.0', first_seen: ago(9 * 24 * hour) },
      ],
      tags: [
        {
          tag: 'environment',
          values: [
            { value: 'bench-3', events: 812 },
            { value: 'bench-1', events: 96 },
          ],
        },
        {
          tag: 'instrument',
          values: [
            { value: 'afm 2', events: 700 },
            { value: hostile, events: 3 },
          ],
        },
      ],
      groups: [
        { id: '71', events: 900, first_seen: error.first_seen, last_seen: error.last_seen },
        { id: '94', events: 12, first_seen: error.first_seen, last_seen: error.last_seen },
      ],
      stored_events: 3,
      backend: options.integrated === false ? 'external' : 'integrated',
      external_url: null,
    };
  }

  function partOf(error: ErrorSummary, rest: readonly string[]): FakeAnswer {
    if (rest.length === 0) return { status: 200, body: detailOf(error) };
    if (rest[0] === 'measurements') return { status: 200, body: fakeErrorRuns(3) };
    const events = [1, 2, 3].map((number) => eventOf(error, number));
    const at =
      rest[1] === 'latest' ? 2 : rest[1] === 'oldest' ? 0 : events.findIndex((event) => event.event_id === rest[1]);
    const event = events[at];
    if (rest[0] !== 'events' || event === undefined)
      return { status: 404, body: { title: 'Not found', status: 404, detail: 'This error has no such event.' } };
    if (rest[2] === 'raw') return { status: 200, body: event };
    return {
      status: 200,
      body: {
        event,
        previous: events[at - 1]?.event_id ?? null,
        next: events[at + 1]?.event_id ?? null,
        position: at + 1,
        of: events.length,
      },
    };
  }

  return {
    /** Adds an error, as an SDK's event does. */
    add: (title: string): void => {
      errors = [
        {
          ...summaryOf(errors.length + 1, options),
          id: String(5000 + errors.length),
          type: title,
          title,
          status: 'unresolved',
          last_seen: ago(0),
        },
        ...errors,
      ];
      changed('1');
    },
    answer: (
      method: string,
      route: readonly string[],
      query: URLSearchParams,
      body: Readonly<Record<string, unknown>>,
    ): FakeAnswer | null => {
      const [first, project, what, id, ...rest] = route;
      if (first === 'errors' && method === 'GET') {
        const page = list(query);
        const { errors: rows, ...others } = page.body as { errors: ErrorSummary[] };
        const path = (index: number) =>
          index % 2 === 0 ? { id: 1, path: 'beamtime/2026-3' } : { id: 2, path: 'lab/qmr' };
        return { ...page, body: { ...others, errors: rows.map((row, index) => ({ ...row, project: path(index) })) } };
      }
      if (first !== 'projects' || project === undefined || project === '') return null;
      if (project === 'mine') return { status: 200, body: projects };
      if (what === 'error_tracking' && id === 'intake') {
        const hours = [
          { hour: ago(hour), accepted: 5000, dropped: { 'rate-limit': 1200, 'too-large': 4, duplicate: 99 } },
        ];
        return { status: 200, body: { limit_per_second: 50, hours: options.dropped === true ? hours : [] } };
      }
      if (what === 'error_tracking' && id === 'event_counts') {
        const [steps, stepHours] =
          query.get('period') === '90d' ? [90, 24] : [query.get('period') === '14d' ? 336 : 24, 1];
        const step = (index: number) => ({
          at: ago((steps - 1 - index) * stepHours * hour),
          accepted: (index * index * 7) % 41,
          refused: index % 9 === 8 ? 3 : 0,
        });
        return {
          status: 200,
          body: { step_hours: stepHours, steps: Array.from({ length: steps }, (_, index) => step(index)) },
        };
      }
      if (what !== 'errors') return null;
      const ids = body['ids'] as string[] | undefined;
      if (method === 'GET' && id === undefined) return list(query);
      if (method === 'PUT')
        errors = errors.map((error) =>
          ids?.includes(error.id) === true ? { ...error, status: body['status'] as ErrorStatus } : error,
        );
      else if (method === 'DELETE') errors = errors.filter((error) => ids?.includes(error.id) !== true);
      else if (method === 'POST' && id === 'merge') {
        const before = errors
          .filter((error) => ids?.includes(error.id))
          .map((error) => ({ id: error.id, status: error.status, groups: [`9${error.id}`] }));
        errors = errors.filter((error) => !(ids ?? []).slice(1).includes(error.id));
        changed('1');
        return { status: 200, body: { id: ids?.[0], before } };
      } else if (method === 'GET') {
        const error = errors.find((each) => each.id === id);
        return error === undefined
          ? { status: 404, body: { title: 'Not found', status: 404, detail: 'There is no such error.' } }
          : partOf(error, rest);
      }
      changed('1');
      return { status: 204 };
    },
  };
}
