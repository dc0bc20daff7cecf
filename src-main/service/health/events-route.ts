import type { ServerResponse } from 'node:http';
import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import type { ServiceEvents } from '../contract/events.ts';
import type { EventName } from '../common/events.ts';
import { putBounded } from '../common/bounded-map.ts';
import { jobShownTo } from '../jobs/job-shape.ts';
import type { Principal } from '../http/principal.ts';
import type { App } from '../http/app.ts';
import { principalOf } from '../http/authentication.ts';
import { HttpProblem } from '../common/problem.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { JobStores } from '../jobs/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Stores = Pick<ProjectStores, 'projects'> & Pick<MeasurementStores, 'measurements'>;
type StreamDeps = Stores &
  Pick<ServiceContext, 'events' | 'log'> & {
    /** Null for a job that is gone, or whose user is. */
    readonly ownerOfJob: (id: number) => Promise<number | null>;
  };
type Deps = Stores & JobStores & Pick<ServiceContext, 'auth' | 'events' | 'log'>;

type Anything = ServiceEvents[EventName];

// A script on a page cannot see comments of a stream, so heartbeats are events. The screens take
// three missed ones for a dead connection.
const heartbeatEveryMs = 5000;
const heartbeatText = 'event: heartbeat\ndata: {}\n\n';
const checkEveryMs = 5000;
const retryAfter = 2000;
// A client with this much unread is not reading: its stream is cut, and it reconnects and reads all
// data again.
const maxBufferedBytes = 256 * 1024;
// Per user, because each event is checked for each stream. A window has two, and a browser one in
// each tab.
const maxStreamsPerUser = 50;
const maxJobs = 10_000;

/** `GET /api/v4/events`: changes as server-sent events (WHATWG HTML, section 9.2). */
export function registerEventsRoute(app: App, deps: Deps): void {
  const open = new Map<() => void, number>();
  const ownerOfJob = jobOwners(deps);
  app.addHook('preClose', async () => {
    for (const end of open.keys()) end();
  });

  app.get(
    '/api/v4/events',
    {
      onRequest: deps.auth.require('read_api'),
      // The stream has no end, so HEAD could not tell its length.
      exposeHeadRoute: false,
      schema: {
        tags: ['service'],
        summary: 'Server-sent events: changed, job and rates',
        description:
          'Each event carries JSON. `heartbeat` comes every five seconds, so that silence can be distinguished from a dead connection. After a gap read everything again: missed events are not repeated.',
        operationId: 'listenToEvents',
        response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } }, 429: Problem },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      if ([...open.values()].filter((userId) => userId === principal.userId).length >= maxStreamsPerUser) {
        throw new HttpProblem(
          429,
          `This user already has ${maxStreamsPerUser} open event streams. Close some of them.`,
          {
            headers: { 'retry-after': '5' },
          },
        );
      }
      const headers = reply.getHeaders();
      reply.hijack();
      const { raw } = reply;
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      const end = stream(raw, principal, { ...deps, ownerOfJob }, () => open.delete(end));
      open.set(end, principal.userId);
    },
  );
}

/** Remembers whose a job is: each stream asks it for each step of its progress. */
function jobOwners({ jobs }: JobStores): (id: number) => Promise<number | null> {
  const known = new Map<number, number>();
  return async (id) => {
    const owner = known.get(id) ?? (await jobs.byId(id))?.user_id ?? null;
    if (owner !== null) putBounded(known, maxJobs, id, owner);
    return owner;
  };
}

/** @returns a function that ends the stream. */
function stream(raw: ServerResponse, principal: Principal, deps: StreamDeps, whenOver: () => void): () => void {
  let id = 0;
  // Looking up the owner of a job takes a turn, so events are sent one after the other, in order.
  let order = Promise.resolve();

  function write(text: string): void {
    if (raw.destroyed || raw.writableEnded) return;
    raw.write(text);
    if (raw.writableLength > maxBufferedBytes) raw.destroy();
  }

  async function tell(name: EventName, event: Anything): Promise<void> {
    const seen = await visible(name, event, principal, deps);
    if (!seen) return;
    id += 1;
    write(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(seen)}\n\n`);
  }

  async function check(): Promise<void> {
    if (!(await principal.stillValid())) end();
  }

  const unsubscribe = deps.events.subscribeStream((name, event) => {
    order = order
      .then(() => tell(name, event))
      .catch((error: unknown) => deps.log.warn({ err: error }, 'event not sent'));
  });
  const heartbeat = setInterval(() => write(heartbeatText), heartbeatEveryMs);
  const checking = setInterval(() => void check().catch(() => raw.destroy()), checkEveryMs);

  function over(): void {
    clearInterval(heartbeat);
    clearInterval(checking);
    unsubscribe();
    whenOver();
  }
  function end(): void {
    over();
    raw.end();
  }
  raw.once('close', over);
  write(`retry: ${retryAfter}\n: listening\n\n${heartbeatText}`);
  return end;
}

/** The part of an event that its reader may see; null when none. */
async function visible(
  name: EventName,
  event: Anything,
  principal: Principal,
  deps: StreamDeps,
): Promise<Anything | null> {
  // Fetches onto this machine are visible only to its owner.
  if (name === 'fetch' || name === 'incoming' || name === 'adding') return principal.kind === 'window' ? event : null;
  if (name === 'job' && 'result' in event) {
    const isTheirs = principal.isAdmin || (await deps.ownerOfJob(event.id)) === principal.userId;
    return isTheirs ? jobShownTo(principal, event) : null;
  }
  if (principal.isAdmin) return event;
  if (name === 'new-error' && 'project_id' in event) {
    const own = await deps.projects.ofMember(principal.userId);
    return own.some((project) => project.id === event.project_id) ? event : null;
  }
  if (name === 'degraded' && 'measurement_id' in event) {
    return (await deps.measurements.byId(event.measurement_id))?.owner_id === principal.userId ? event : null;
  }
  // The reader may know that a list changed, but not which measurement or whose token it was.
  if (name === 'changed' && 'topic' in event) return { topic: event.topic };
  return event;
}
