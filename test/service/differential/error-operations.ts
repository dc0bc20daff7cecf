import { prepareEvent } from '../../../src-main/service/errors/events/prepare-event.ts';
import { readErrorSearch } from '../../../src-main/service/errors/store/list/error-list-search.ts';
import { beginning, unordered, type Operations } from './operation.ts';
import type { Draw } from './random.ts';

const types = ['TypeError', 'KeyError', 'Überlauf', 'überlauf', '100%', 'a_b'];
const searches = [
  '',
  '',
  'is:unresolved',
  'is:resolved',
  'level:error',
  'beam:b1',
  'ÜBERLAUF',
  '100%',
  'a_b',
  'signal',
];
const project = (draw: Draw) => 1 + draw.number(5);
const error = (draw: Draw) => 1 + draw.number(40);
const hourMs = 3_600_000;

function eventOf(draw: Draw) {
  const receivedAt = beginning + draw.number(100) * 60_000;
  const body = {
    platform: 'python',
    level: draw.one(['error', 'warning', 'info']),
    release: draw.maybe(`station@${draw.number(4)}`) ?? undefined,
    environment: draw.one(['lab', 'test']),
    tags: { beam: `b${draw.number(3)}`, note: draw.text() },
    exception: { values: [{ type: draw.one(types), value: `no signal ${draw.text()}` }] },
  };
  const eventId = draw.number(300).toString(16).padStart(32, '0');
  const context = { receivedAt, eventId, sentAt: null, sdk: null, address: null };
  const sent = Buffer.from(JSON.stringify(body));
  return () => {
    const event = prepareEvent(sent, context);
    if (event === null) throw new Error('not an event');
    return event;
  };
}

const events: Operations = {
  'clientKeys.create': (draw) => {
    const [of, key] = [project(draw), `bpk_${draw.number(20)}`];
    return async (stores) => stores.clientKeys.create(of, key);
  },
  'clientKeys.page': (draw) => {
    const [of, key] = [project(draw), `bpk_${draw.number(20)}`];
    return async (stores) => [await stores.clientKeys.page(of, 3, 0), await stores.clientKeys.byPublicKey(key)];
  },
  'errorEvents.add': (draw) => {
    const event = eventOf(draw);
    const one = {
      projectId: project(draw),
      keyId: 1 + draw.number(5),
      userHash: draw.maybe(Buffer.alloc(16, draw.number(6))),
    };
    return async (of) => of.errorEvents.add({ ...one, event: event() });
  },
  errorEventList: (draw) => {
    const [of, eventId] = [error(draw), Buffer.from(draw.number(300).toString(16).padStart(32, '0'), 'hex')];
    return async ({ errorEventList: list }) => {
      const rows = [await list.latest(of), await list.oldest(of)];
      for (let at = 1; at <= 5; at += 1) rows.push(await list.byEventId(at, of, eventId));
      const shown = rows.map((row) => row && { ...row, payload: null, sample: null });
      const id = rows[0]?.id ?? 0;
      return [shown, await list.count(of), await list.neighbours(of, id), await list.position(of, id)];
    };
  },
};

const lists: Operations = {
  'errorList.page': (draw) => {
    const sort = draw.one(['last_seen', 'first_seen', 'events', 'users'] as const);
    const [of, text, limit] = [project(draw), draw.one(searches), 1 + draw.number(6)];
    return async ({ errorList: list }) => {
      const search = readErrorSearch(text);
      const page = await list.page({ projectId: of, search, sort, after: null, limit });
      const last = page.at(-1);
      const after = last ? { value: last[sort], id: last.id } : null;
      const next = await list.page({ projectId: of, search, sort, after, limit });
      const hours = await list.hours(
        page.map(({ id }) => id),
        0,
      );
      return [page, next, await list.count(of, search), unordered(hours)];
    };
  },
  errorDetails: (draw) => {
    const [of, id] = [project(draw), error(draw)];
    return async ({ errorDetails: details }) => {
      const groups = await details.groups(id);
      const first = groups[0]?.id ?? 0;
      return [
        await details.byId(of, id),
        await details.projectOf(id),
        groups,
        await details.hours(id, 0),
        await details.releases(
          groups.map((group) => group.id),
          5,
        ),
        await details.tagAfter(first, ''),
        await details.values(first, 'beam', 5),
      ];
    };
  },
  releases: (draw) => {
    const [of, release] = [project(draw), `station@${draw.number(4)}`];
    return async ({ releases, intake }) => [
      await releases.days(of, 0),
      await releases.users(of, release, 'lab', 0),
      unordered(await intake.since(of, 0)),
    ];
  },
};

const changes: Operations = {
  'errorChanges.setStatus': (draw) => {
    const [of, ids, status] = [
      project(draw),
      [error(draw), error(draw)],
      draw.one(['unresolved', 'resolved', 'ignored'] as const),
    ];
    return async (stores) => stores.errorChanges.setStatus(of, ids, status, Date.now());
  },
  'errorChanges.removeSome': (draw) => {
    const [of, id] = [project(draw), draw.number(5) === 0 ? error(draw) : 999];
    return async (stores) => {
      while (!(await stores.errorChanges.removeSome(of, id)));
    };
  },
  'errorMerges.merge': (draw) => {
    const [of, ids] = [project(draw), [error(draw), error(draw)]];
    const event = (id: number) => ({ userId: null, action: 'error.merge', subject: `error:${id}` });
    return async (stores) => stores.errorMerges.merge(of, ids, event);
  },
  'ingestCounts.add': (draw) => {
    const hour = Math.floor(beginning / hourMs) + draw.number(3);
    const count = {
      projectId: project(draw),
      hour,
      outcome: draw.one(['rate-limited', 'malformed'] as const),
      count: 1,
    };
    return async (of) => of.ingestCounts.add([count]);
  },
  retention: (draw) => {
    const [of, after, time] = [project(draw), draw.number(20), beginning + draw.number(60) * 60_000];
    return async ({ retention }) => {
      const [group] = await retention.groupsAfter(after, 1);
      const removed = group ? await retention.removeReceivedBefore(group, time) : null;
      return [group, removed, unordered(await retention.lastReceivedBefore(of, time)), await retention.projects()];
    };
  },
};

export const errorOperations: Operations = { ...events, ...lists, ...changes };
