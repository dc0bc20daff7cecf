import { describe, expect, it } from 'vitest';
import {
  bodyFor,
  degradedNotificationEvent,
  errorNotificationEvent,
  fetchNotificationEvent,
  noticeOf,
  type NotificationEvent,
  type Notice,
  type NoticeKind,
} from '../../src-main/shell/notices/notice-words.ts';
import { Notices } from '../../src-main/shell/notices/notices.ts';
import { aFetch } from './a-fetch.ts';

const finished = (id: number): NotificationEvent =>
  fetchNotificationEvent(aFetch(id, { state: 'done' })) as NotificationEvent;
const failed = (id: number): NotificationEvent =>
  fetchNotificationEvent(aFetch(id, { state: 'failed', message: 'The disk is full.' })) as NotificationEvent;
const anError = (id: string, path = 'beam'): NotificationEvent =>
  errorNotificationEvent({
    project_id: 1,
    project_path: path,
    error_id: id,
    title: 'TypeError: x is undefined',
    kind: 'new',
  });
const degraded = (id: string, title = ''): NotificationEvent =>
  degradedNotificationEvent({ measurement_id: id, title });

describe('the text of a notification', () => {
  it('names its subject, and leads to it', () => {
    expect(noticeOf([finished(7)])).toEqual({
      title: 'Fetched and verified',
      body: 'run-7, from lab',
      route: '/transfers/7',
    });
    expect(noticeOf([failed(8)])).toEqual({
      title: 'A fetch failed',
      body: 'run-8: The disk is full.',
      route: '/transfers/8',
    });
    const asks = fetchNotificationEvent(
      aFetch(9, { state: 'asking', title: 'Magnetic resonance', message: 'The token has expired.' }),
    );
    expect(asks && noticeOf([asks])).toEqual({
      title: 'A fetch waits for you',
      body: 'Magnetic resonance: The token has expired.',
      route: '/transfers/9',
    });
    expect(noticeOf([anError('12', 'group/beam')])).toEqual({
      title: 'New error in group/beam',
      body: 'TypeError: x is undefined',
      route: '/projects/group%2Fbeam/errors/12',
    });
    for (const state of ['queued', 'running', 'waiting', 'paused', 'cancelled'] as const)
      expect(fetchNotificationEvent(aFetch(1, { state })), state).toBeUndefined();
  });

  it('E09 whatever others wrote, a click leads to a screen', () => {
    for (const path of ['../../settings', 'https://example.com/', 'a/../b', '?add=x', '#x']) {
      const { route, routeOfAll } = anError('../../7?x#y', path);
      expect(route).toMatch(/^\/projects\/[^/?#]+\/errors\/\.\.%2F\.\.%2F7%3Fx%23y$/);
      expect(routeOfAll).toMatch(/^\/projects\/[^/?#]+\/errors$/);
    }
    const hostile = fetchNotificationEvent(
      aFetch(3, { state: 'failed', measurement_id: '../..', title: 'https://example.com/', message: '/settings' }),
    );
    expect(hostile?.route).toBe('/transfers/3');
  });

  it('counts several, and leads to the list of all, failures first', () => {
    expect(noticeOf([finished(1), finished(2)])).toMatchObject({ title: '2 fetches finished', route: '/transfers' });
    expect(noticeOf([finished(1), failed(2), anError('3')])).toMatchObject({
      title: '1 fetch finished, 1 fetch failed or waits for you, 1 error is new or came back',
      route: '/transfers',
    });
    expect(noticeOf([anError('1'), anError('2')])).toMatchObject({
      title: '2 errors are new or came back',
      route: '/projects/beam/errors',
    });
    expect(noticeOf([anError('1'), anError('2', 'other')]).route).toBe('/errors');
    expect(noticeOf([finished(1), finished(2), finished(3), finished(4)]).body.split('\n')).toHaveLength(3);
  });

  it('U4: names a degraded measurement, and leads to it; several lead to their list', () => {
    const one = {
      title: 'A measurement is degraded',
      body: 'Run 7: files are not as registered',
      route: '/measurements/run%2F7',
    };
    expect(noticeOf([degraded('run/7', 'Run 7')])).toEqual(one);
    expect(noticeOf([degraded('run-7')]).body).toBe('run-7: files are not as registered');
    expect(noticeOf([degraded('a'), degraded('b')])).toMatchObject({
      title: '2 measurements are degraded',
      route: '/measurements?problems=true',
    });
    expect(noticeOf([finished(1), degraded('a')])).toMatchObject({
      title: '1 fetch finished, 1 measurement is degraded',
      route: '/measurements?problems=true',
    });
    expect(noticeOf([degraded('a'), failed(1)]).route).toBe('/transfers');
  });

  it('shows foreign titles as one short line', () => {
    const text =
      fetchNotificationEvent(aFetch(1, { state: 'done', title: `a\nb\u0007\u2028${'x'.repeat(500)}` }))?.text ?? '';
    expect(text).toMatch(/^a b x+…$/);
    expect(text).toHaveLength(200);
  });

  it('E23 a foreign title cannot contain bidirectional controls, half a character, or markup', () => {
    const error = (title: string): string =>
      errorNotificationEvent({ project_id: 1, project_path: 'beam', error_id: '1', title, kind: 'new' }).text;
    expect(error('report\u202Egnp.exe\u2066\u200B!')).toBe('report gnp.exe !');
    expect(error('😀'.repeat(200))).toBe(`${'😀'.repeat(99)}…`);
    const hostile = '<a href="https://evil.example/">sign in</a> & <img src="file:///x">';
    expect(bodyFor('linux', hostile)).toBe(
      '&lt;a href="https://evil.example/"&gt;sign in&lt;/a&gt; &amp; &lt;img src="file:///x"&gt;',
    );
    for (const platform of ['win32', 'darwin'] as const) expect(bodyFor(platform, hostile)).toBe(hostile);
  });
});

/** A clock that the test advances. */
function clock() {
  let now = 0;
  let waiting: { at: number; act: () => void }[] = [];
  return {
    now: () => now,
    later: (act: () => void, milliseconds: number) => {
      waiting.push({ at: now + milliseconds, act });
    },
    pass: (milliseconds: number) => {
      const end = now + milliseconds;
      for (;;) {
        const next = waiting.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0];
        if (!next) break;
        waiting = waiting.filter((one) => one !== next);
        now = next.at;
        next.act();
      }
      now = end;
    },
  };
}

function someNotices({
  front = () => false,
  wants = () => true,
}: { front?: () => boolean; wants?: (kind: NoticeKind) => boolean } = {}) {
  const time = clock();
  const shown: { at: number; notice: Notice }[] = [];
  const notices = new Notices({
    show: (notice) => shown.push({ at: time.now(), notice }),
    isInFront: front,
    wants,
    now: time.now,
    later: time.later,
  });
  return { notices, time, shown };
}

describe('when notifications are shown', () => {
  it('notices within a moment are one', () => {
    const { notices, time, shown } = someNotices();
    notices.add(finished(1));
    time.pass(1000);
    notices.add(failed(2));
    time.pass(10_000);
    notices.add(finished(3));
    time.pass(10_000);
    expect(shown.map(({ notice }) => notice.title)).toEqual([
      '1 fetch finished, 1 fetch failed or waits for you',
      'Fetched and verified',
    ]);
  });

  it('U4: fifty measurements that become degraded at once are one', () => {
    const { notices, time, shown } = someNotices();
    for (let id = 1; id <= 50; id += 1) notices.add(degraded(`run-${id}`));
    time.pass(120_000);
    expect(shown.map(({ notice }) => [notice.title, notice.body.split('\n').length])).toEqual([
      ['50 measurements are degraded', 3],
    ]);
  });

  it('U4: degraded measurements are notified only if wanted, and not while the window is in front', () => {
    let wanted = false;
    let front = false;
    const { notices, time, shown } = someNotices({
      front: () => front,
      wants: (kind) => wanted || kind !== 'degraded',
    });
    notices.add(degraded('a'));
    wanted = true;
    front = true;
    notices.add(degraded('b'));
    time.pass(120_000);
    expect(shown).toEqual([]);
    front = false;
    notices.add(degraded('c'));
    time.pass(120_000);
    expect(shown.map(({ notice }) => notice.route)).toEqual(['/measurements/c']);
  });

  it('never more than three in any minute, and none is lost', () => {
    const { notices, time, shown } = someNotices();
    for (let id = 1; id <= 600; id += 1) {
      notices.add(finished(id));
      time.pass(500);
    }
    time.pass(120_000);
    const told = shown.reduce(
      (sum, { notice }) => sum + (notice.title === 'Fetched and verified' ? 1 : Number(/^\d+/.exec(notice.title)?.[0])),
      0,
    );
    expect(told).toBe(600);
    for (const { at } of shown)
      expect(shown.filter((other) => other.at >= at && other.at < at + 60_000).length).toBeLessThanOrEqual(3);
    expect(shown.length).toBeGreaterThan(10);
  });

  it('nothing is shown that is switched off, or was seen', () => {
    let isInFront = true;
    const { notices, time, shown } = someNotices({ front: () => isInFront, wants: (kind) => kind !== 'error' });
    notices.add(finished(1));
    isInFront = false;
    notices.add(anError('1'));
    time.pass(5000);
    notices.add(finished(2));
    notices.seen();
    time.pass(5000);
    expect(shown).toEqual([]);
    notices.add(finished(3));
    time.pass(5000);
    expect(shown).toHaveLength(1);
  });
});
