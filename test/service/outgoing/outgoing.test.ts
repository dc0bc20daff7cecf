import { describe, expect, test } from 'vitest';
import { allowHost } from '../../../src-main/service/outgoing/change-hosts.ts';
import { makeFirstHosts } from '../../../src-main/service/outgoing/first-hosts.ts';
import { outgoingHosts, outgoingSetting } from '../../../src-main/service/outgoing/outgoing-hosts.ts';
import { atTheMachine } from '../../../src-main/service/http/principal.ts';
import { startProjectService } from '../errors/project-fixture.ts';
import { modern } from '../errors/external/external-world.ts';
import { startDouble } from '../errors/external/sentry-double.ts';
import { useFreshWorld } from '../use-service.ts';

const world = useFreshWorld(startProjectService);

const address = '/api/v4/application/outgoing';
const put = async (allowed: readonly string[]) => world.as.steward('PUT', address, { allowed });
const listed = async () => (await world.as.steward('GET', address)).body;
const audited = async () =>
  ((await world.as.steward('GET', '/api/v4/audit_events?action=settings.outgoing')).body as { details: unknown }[]).map(
    (event) => JSON.stringify(event),
  );

describe('the list of allowed hosts', () => {
  test('is empty at first, is set whole, in one form and without duplicates', async () => {
    expect(await listed()).toEqual({ allowed: [] });
    const wanted = ['Sentry.Lab', 'sentry.lab.', ' ', '10.1.0.0/16', '[FD12::7]:9000', 'sentry.lab'];
    const allowed = ['sentry.lab', '10.1.0.0/16', '[fd12::7]:9000'];
    expect(await put(wanted)).toMatchObject({ status: 200, body: { allowed } });
    expect(await listed()).toEqual({ allowed });
    expect((await put(['sentry.lab'])).status).toBe(200);
    const [last, first] = await audited();
    expect(first).toContain('allowed sentry.lab, allowed 10.1.0.0/16');
    expect(last).toContain('no longer 10.1.0.0/16, no longer [fd12::7]:9000');
    // Saving the same list leaves no entry.
    await put(['SENTRY.lab']);
    expect(await audited()).toHaveLength(2);
  });

  test('takes nothing that cannot be read or allowed, and stays as it was', async () => {
    await put(['sentry.lab']);
    for (const [entry, words] of [
      ['https://sentry.lab', /without a scheme/],
      ['169.254.169.254', /never be allowed/],
      ['10.0.0.0/64', /fixed bits/],
    ] as const)
      expect(await put(['other.lab', entry])).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(words) as string },
      });
    const many = Array.from({ length: 201 }, (_, index) => `host-${index}.lab`);
    expect(await put(many)).toMatchObject({ status: 400, body: { detail: expect.stringContaining('201') as string } });
    expect((await put(many.slice(1))).status).toBe(200);
    expect((await put([...many.slice(1), ...many.slice(1)])).status).toBe(200);
    for (const body of [{}, { allowed: 'a.lab' }, { allowed: [1] }, { allowed: [], more: 1 }])
      expect((await world.as.steward('PUT', address, body)).status).toBe(400);
    expect(await listed()).toEqual({ allowed: many.slice(1) });
  });

  test('is for administrators alone', async () => {
    for (const person of ['owner', 'maintainer', 'outsider'] as const) {
      expect((await world.as[person]('GET', address)).status).toBe(403);
      expect((await world.as[person]('PUT', address, { allowed: ['127.0.0.1'] })).status).toBe(403);
    }
    expect((await world.with(null)('PUT', address, { allowed: [] })).status).toBe(401);
  });
});

describe('an external backend on a private host', () => {
  const settings = '/api/v4/projects/lab%2Fqmr/error_tracking/settings';
  const backend = (origin: string) => ({
    active: true,
    integrated: false,
    api_url: `${origin}/api/0/projects/lab/bench/`,
    token: 'sntrys_secret',
  });
  const check = (origin: string) =>
    `/lab/qmr/-/error_tracking/projects.json?${new URLSearchParams({ api_host: origin, token: 'sntrys_secret' }).toString()}`;

  test('is refused to a maintainer, and gets no request, until an administrator allows it', async () => {
    const sentry = await startDouble();
    sentry.answer = modern;
    try {
      const refused = expect.stringContaining('An administrator can allow it under Settings') as string;
      expect(await world.as.maintainer('GET', check(sentry.origin))).toMatchObject({
        status: 400,
        body: { message: refused },
      });
      expect(await world.as.maintainer('PUT', settings, backend(sentry.origin))).toMatchObject({
        status: 400,
        body: { message: refused },
      });
      expect((await world.as.maintainer('GET', settings)).status).toBe(404);
      expect(sentry.seen).toEqual([]);
      await put(['127.0.0.1']);
      expect((await world.as.maintainer('GET', check(sentry.origin))).status).toBe(200);
      expect((await world.as.maintainer('PUT', settings, backend(sentry.origin))).status).toBe(200);
      // Taken back, it is refused with the next request.
      const before = sentry.seen.length;
      await put([]);
      const errors = await world.as.maintainer('GET', '/api/v4/projects/lab%2Fqmr/errors');
      expect([errors.status, JSON.stringify(errors.body)]).toEqual([502, expect.stringContaining('An administrator')]);
      expect(sentry.seen.length).toBe(before);
    } finally {
      await sentry.end();
    }
  });

  test('is tried and allowed by an administrator who saves it, with its port', async () => {
    const [sentry, other] = [await startDouble(), await startDouble()];
    sentry.answer = modern;
    try {
      expect((await world.as.steward('GET', check(sentry.origin))).status).toBe(200);
      expect(await listed()).toEqual({ allowed: [] });
      expect((await world.as.steward('PUT', settings, backend(sentry.origin))).status).toBe(200);
      const { host } = new URL(sentry.origin);
      expect(await listed()).toEqual({ allowed: [host] });
      expect(await audited()).toEqual([expect.stringContaining(`allowed ${host} (the external backend of lab/qmr)`)]);
      expect((await world.as.maintainer('GET', check(sentry.origin))).status).toBe(200);
      expect((await world.as.maintainer('GET', check(other.origin))).status).toBe(400);
      // A change of something else allows nothing anew.
      await put([]);
      await world.as.steward('PATCH', settings, { active: true, retention_days: 30 });
      expect(await listed()).toEqual({ allowed: [] });
    } finally {
      await sentry.end();
      await other.end();
    }
  });

  test('that a maintainer stored is not allowed by an administrator who only switches it on', async () => {
    const stored = { ...backend('http://127.0.0.1:9'), active: false };
    expect((await world.as.maintainer('PUT', settings, stored)).status).toBe(200);
    expect(await world.as.steward('PATCH', settings, { active: true })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('An administrator can allow it') as string },
    });
    expect(await listed()).toEqual({ allowed: [] });
  });

  test('is not saved when the list is full, and nothing changes', async () => {
    const full = Array.from({ length: 200 }, (_, index) => `host-${index}.lab`);
    await put(full);
    expect(await world.as.steward('PUT', settings, backend('http://127.0.0.1:9'))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('the maximum is 200') as string },
    });
    expect((await world.as.steward('GET', settings)).status).toBe(404);
    expect(await listed()).toEqual({ allowed: full });
  });

  test('on a metadata service is refused to administrators too', async () => {
    for (const origin of ['http://169.254.169.254', 'http://[::ffff:a9fe:a9fe]', 'http://0.0.0.0']) {
      expect((await world.as.steward('PUT', settings, backend(origin))).status, origin).toBe(400);
      expect((await world.as.steward('GET', check(origin))).status, origin).toBe(400);
    }
    expect(await listed()).toEqual({ allowed: [] });
  });

  test('whose name cannot be looked up now is saved, and judged with each request', async () => {
    expect((await world.as.maintainer('PUT', settings, backend('https://no-such-host.invalid'))).status).toBe(200);
    expect(await listed()).toEqual({ allowed: [] });
  });
});

describe('the first start with a list', () => {
  const urls = [
    'http://127.0.0.1:9000/api/0/projects/a/b',
    'http://127.0.0.1:9000/api/0/projects/a/c',
    'https://sentry.lab/api/0/projects/a/b',
    'https://8.8.8.8/api/0/projects/a/b',
    'http://169.254.169.254/api/0/projects/a/b',
    'no address',
  ];

  test('takes over the hosts of stored backends, once', async () => {
    const stored = new Map<string, string>();
    const settings = {
      ...world.services.settings,
      get: async (key: string) => stored.get(key) ?? null,
      addIfAbsent: async (key: string, value: string) => {
        if (!stored.has(key)) stored.set(key, value);
        return stored.get(key) ?? value;
      },
    };
    const { log } = world.services;
    await makeFirstHosts({ settings, log }, async () => urls);
    expect(await outgoingHosts(settings).list()).toEqual(['127.0.0.1:9000', 'sentry.lab:443']);
    await makeFirstHosts({ settings, log }, async () => ['http://10.0.0.1/api/0/projects/a/b']);
    expect(await outgoingHosts(settings).list()).toEqual(['127.0.0.1:9000', 'sentry.lab:443']);
  });

  test('has happened when the service runs', async () => {
    expect(await world.services.settings.get(outgoingSetting)).toBe('[]');
    expect(await world.services.errorSettings.apiUrls()).toEqual([]);
  });

  test('a list that cannot be read allows nothing', async () => {
    for (const text of ['', '{', '{}', '[1, "https://x", "169.254.169.254"]', 'null']) {
      await world.services.settings.set(outgoingSetting, text);
      expect(await listed()).toEqual({ allowed: [] });
    }
  });
});

test('hosts that are allowed at the same time are all in the list', async () => {
  const urls = Array.from({ length: 8 }, (_, index) => new URL(`http://10.0.0.${index}:9000`));
  await Promise.all(urls.map(async (url) => allowHost(world.services, url, atTheMachine, 'a test')));
  const { allowed } = (await listed()) as { allowed: string[] };
  expect(allowed.toSorted()).toEqual(urls.map(({ host }) => host));
});
