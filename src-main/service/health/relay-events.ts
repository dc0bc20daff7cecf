import { throttle } from '../../../src-shared/throttle.ts';
import type { EventName } from '../common/events.ts';
import { parseJson } from '../common/parse-json.ts';
import type { ChangedEvent, NewErrorEvent, ServiceEvents } from '../contract/events.ts';
import type { ErrorStores } from '../errors/store/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';
import { jobShape } from '../jobs/job-shape.ts';
import type { JobStores } from '../jobs/stores.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { ProjectStores } from '../projects/stores.ts';

type Deps = JobStores &
  Pick<MeasurementStores, 'measurements'> &
  Pick<ProjectStores, 'projects'> &
  Pick<ErrorStores, 'errorDetails'> &
  Pick<ServiceContext, 'cluster' | 'events' | 'log'>;

/** Kind and id of a change, without its content, which the others read from the database. */
type Happening =
  | readonly ['changed', topic: ChangedEvent['topic'], id: string | null]
  | readonly ['job', id: number]
  | readonly ['degraded', measurementId: string]
  | readonly ['new-error', projectId: number, errorId: string, kind: NewErrorEvent['kind']];

const sendEveryMs = 250;
// PostgreSQL takes less than 8000 bytes (NOTIFY).
const maxBytes = 7000;
const maxHappenings = 500;
/** They concern one machine alone. */
const localTopics: ReadonlySet<string> = new Set(['captures', 'copies', 'fetches', 'servers', 'sharing', 'backups']);
const prefix = 'events ';

/**
 * Tells other replicas of what happens here, at most four times a second, and the streams here of
 * what happens there.
 *
 * @returns a function that sends the rest and ends it.
 */
export function relayEvents(deps: Deps): () => void {
  const { cluster, events, log } = deps;
  if (cluster.replica() === null) return () => {};
  let waiting = new Set<string>();
  const sendNow = (): void => {
    const all = waiting;
    waiting = new Set();
    for (const text of textsOf(all)) cluster.notify(prefix + text);
  };
  const send = throttle(sendEveryMs, sendNow);
  const ends = [
    events.subscribeOwn((name, event) => {
      const happening = happeningOf(name, event);
      if (!happening) return;
      // Beyond this many a list is read again as a whole.
      const short =
        happening[0] === 'changed' && waiting.size >= maxHappenings ? [...happening.slice(0, 2), null] : happening;
      waiting.add(JSON.stringify(short));
      send();
    }),
    cluster.onNotification((text) => {
      if (!text.startsWith(prefix) || !events.hasStreams) return;
      const happenings = parseJson(text.slice(prefix.length)) as readonly Happening[] | null;
      for (const happening of happenings ?? [])
        void deliver(deps, happening).catch((error: unknown) =>
          log.warn({ err: error }, 'an event of another replica was not delivered'),
        );
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    sendNow();
  };
}

function happeningOf(name: EventName, event: ServiceEvents[EventName]): Happening | null {
  if (name === 'changed' && 'topic' in event)
    return localTopics.has(event.topic) ? null : ['changed', event.topic, event.id ?? null];
  if (name === 'job' && 'id' in event) return ['job', Number(event.id)];
  if (name === 'degraded' && 'measurement_id' in event) return ['degraded', event.measurement_id];
  if (name === 'new-error' && 'error_id' in event) return ['new-error', event.project_id, event.error_id, event.kind];
  return null;
}

/** Lists of happenings, each short enough for one message. */
function* textsOf(happenings: Iterable<string>): Generator<string> {
  let part: string[] = [];
  let bytes = 0;
  for (const one of happenings) {
    const length = Buffer.byteLength(one) + 1;
    if (bytes + length > maxBytes) {
      yield `[${part.join()}]`;
      [part, bytes] = [[], 0];
    }
    part.push(one);
    bytes += length;
  }
  if (part.length > 0) yield `[${part.join()}]`;
}

async function deliver({ events, ...stores }: Deps, happening: Happening): Promise<void> {
  switch (happening[0]) {
    case 'changed': {
      const [, topic, id] = happening;
      events.deliver('changed', id === null ? { topic } : { topic, id });
      return;
    }
    case 'job': {
      const row = await stores.jobs.byId(happening[1]);
      if (row) events.deliver('job', jobShape(row, undefined));
      return;
    }
    case 'degraded': {
      const row = await stores.measurements.byId(happening[1]);
      if (row) events.deliver('degraded', { measurement_id: row.id, title: row.title });
      return;
    }
    case 'new-error': {
      const [, projectId, errorId, kind] = happening;
      const [project, error] = [
        await stores.projects.byId(projectId),
        await stores.errorDetails.byId(projectId, Number(errorId)),
      ];
      if (!project || !error) return;
      const title = [error.type, error.value].filter((part) => part !== '').join(': ');
      events.deliver('new-error', {
        project_id: projectId,
        project_path: project.path,
        error_id: errorId,
        title,
        kind,
      });
    }
  }
}
