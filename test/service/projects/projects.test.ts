import { describe, expect, test } from 'vitest';
import type { Project, ProjectMember } from '../../../src-main/service/contract/projects.ts';
import { withProjectAsOneSegment } from '../../../src-main/service/projects/project-address.ts';
import { isProjectPath } from '../../../src-shared/project-path.ts';
import { asWindow } from '../as-window.ts';
import { startProjectService } from '../errors/project-fixture.ts';
import { useWorld } from '../use-service.ts';

const service = useWorld(startProjectService);

const encoded = '/api/v4/projects/lab%2Fqmr';

describe('a project', () => {
  test('is found by its number and by its encoded path, case-insensitively', async () => {
    for (const address of [
      `/api/v4/projects/${service.projectId}`,
      encoded,
      '/api/v4/projects/LAB%2Fqmr',
      `${encoded}/`,
    ]) {
      const answer = await service.as.developer('GET', address);
      expect(answer.status, address).toBe(200);
      expect(answer.body).toMatchObject({
        id: service.projectId,
        path: 'lab/qmr',
        name: 'QMR',
        monitor: true,
        role: 'developer',
        may_manage: false,
      });
    }
    expect((await service.as.maintainer('GET', encoded)).body).toMatchObject({ role: 'maintainer', may_manage: true });
    expect((await service.as.steward('GET', encoded)).body).toMatchObject({
      role: null,
      may_manage: true,
      error_tracking: { active: false, integrated: true, unresolved: 0 },
    });
  });

  test('cannot be told from a missing one by users who are not members', async () => {
    const there = await service.as.outsider('GET', encoded);
    const nowhere = await service.as.outsider('GET', '/api/v4/projects/lab%2Fnowhere');
    expect(there.status).toBe(404);
    expect({ ...(there.body as object), request_id: '' }).toEqual({ ...(nowhere.body as object), request_id: '' });
    for (const [method, rest, body] of [
      ['PATCH', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['GET', '/members', undefined],
      ['PUT', `/members/${service.userIds.outsider}`, { role: 'owner' }],
      ['DELETE', `/members/${service.userIds.outsider}`, undefined],
    ] as const) {
      expect((await service.as.outsider(method, encoded + rest, body)).status, `${method} ${rest}`).toBe(404);
    }
    expect((await service.as.outsider('GET', '/api/v4/projects?search=qmr')).body).toEqual([]);
    expect((await service.as.outsider('GET', '/api/v4/projects/mine')).body).toEqual([]);
    expect((await service.as.reporter('GET', '/api/v4/projects?search=qmr')).body).toMatchObject([
      { id: service.projectId, path: 'lab/qmr', name: 'QMR' },
    ]);
    expect((await service.with(null)('GET', encoded)).status).toBe(401);
  });

  test('is added by administrators, who become its owner; other users are told to ask one', async () => {
    const added = await service.as.steward('POST', '/api/v4/projects', { path: 'lab/bench-2' });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ path: 'lab/bench-2', name: 'bench-2', role: 'owner', monitor: true });
    expect((await service.as.steward('POST', '/api/v4/projects', { path: 'LAB/bench-2' })).status).toBe(409);
    for (const path of [
      'api/x',
      'UI/x',
      'mine',
      '12',
      'a//b',
      '/a',
      'a/',
      '-/a',
      'a/-',
      'a/.b',
      'a b',
      'lab/-/x',
      '..',
    ]) {
      expect((await service.as.steward('POST', '/api/v4/projects', { path })).status, path).toBe(400);
    }
    expect((await service.as.owner('POST', '/api/v4/projects', { path: 'lab/other' })).status).toBe(403);
    await service.services.projects.setMember((added.body as Project).id, service.userIds.reporter, 'maintainer');
    const mine = (await service.as.reporter('GET', '/api/v4/projects/mine')).body as Project[];
    expect(mine.map(({ path, role }) => [path, role])).toEqual([
      ['lab/bench-2', 'maintainer'],
      ['lab/qmr', 'reporter'],
    ]);
    expect(
      ((await service.as.steward('GET', '/api/v4/projects/mine')).body as Project[]).map(({ path, role }) => [
        path,
        role,
      ]),
    ).toEqual([
      ['lab/bench-2', 'owner'],
      ['lab/qmr', null],
    ]);
  });

  test('is renamed, and its Monitor is switched off, by maintainers', async () => {
    expect((await service.as.developer('PATCH', encoded, { monitor: false })).status).toBe(403);
    expect((await service.as.maintainer('PATCH', encoded, { monitor: 'no' })).status).toBe(400);
    expect((await service.as.maintainer('PATCH', encoded, { name: ' ' })).status).toBe(400);
    expect((await service.as.maintainer('PATCH', encoded, { name: 'Quiet room', monitor: false })).body).toMatchObject({
      name: 'Quiet room',
      monitor: false,
    });
    expect((await service.as.maintainer('PATCH', encoded, { name: 'QMR', monitor: true })).body).toMatchObject({
      name: 'QMR',
      monitor: true,
    });
    const readOnly = service.with(await service.token(service.userIds.maintainer, ['read_api']));
    expect((await readOnly('GET', encoded)).status).toBe(200);
    expect((await readOnly('PATCH', encoded, { monitor: false })).status).toBe(403);
  });

  test('is removed at once with its members, keys and grants, and its path is free', async () => {
    const { id } = (await service.as.steward('POST', '/api/v4/projects', { path: 'lab/short' })).body as Project;
    await service.services.projects.setMember(id, service.userIds.reporter, 'maintainer');
    const key = (await service.as.reporter('POST', `/api/v4/projects/${id}/error_tracking/client_keys`)).body as {
      public_key: string;
    };
    expect(await service.services.clientKeys.byPublicKey(key.public_key)).toMatchObject({ projectId: id });
    expect((await service.as.reporter('DELETE', '/api/v4/projects/lab%2Fshort')).status).toBe(403);
    expect((await service.as.steward('DELETE', '/api/v4/projects/lab%2Fshort')).status).toBe(204);
    for (const address of [`/api/v4/projects/${id}`, '/api/v4/projects/lab%2Fshort', `/api/v4/projects/-${id}`]) {
      expect((await service.as.steward('GET', address)).status, address).toBe(404);
    }
    expect(await service.services.clientKeys.byPublicKey(key.public_key)).toBeNull();
    expect((await service.services.projects.ofMember(service.userIds.reporter)).map(({ path }) => path)).not.toContain(
      'lab/short',
    );
    expect((await service.as.steward('POST', '/api/v4/projects', { path: 'lab/short' })).status).toBe(201);
  });
});

describe('members', () => {
  const members = `${encoded}/members`;
  const put = (by: 'maintainer' | 'owner' | 'steward' | 'developer', userId: number, role: string) =>
    service.as[by]('PUT', `${members}/${userId}`, { role });

  test("are shown to members, with GitLab's access levels", async () => {
    const list = (await service.as.reporter('GET', members)).body as ProjectMember[];
    expect(list.map(({ username, role, access_level: level }) => [username, role, level])).toEqual([
      ['developer', 'developer', 30],
      ['maintainer', 'maintainer', 40],
      ['owner', 'owner', 50],
      ['reporter', 'reporter', 20],
    ]);
  });

  test('are added and changed by maintainers; owners only by owners', async () => {
    const bob = await service.user('bob');
    const asBob = service.with(await service.token(bob, ['api']));
    expect((await put('developer', bob, 'reporter')).status).toBe(403);
    expect((await put('maintainer', bob, 'reporter')).body).toMatchObject({
      id: bob,
      username: 'bob',
      role: 'reporter',
      access_level: 20,
    });
    expect((await asBob('GET', encoded)).status).toBe(200);
    expect((await put('maintainer', bob, 'maintainer')).status).toBe(200);
    expect((await put('maintainer', bob, 'owner')).status).toBe(403);
    expect((await put('maintainer', service.userIds.owner, 'reporter')).status).toBe(403);
    expect((await put('maintainer', bob, 'guest')).status).toBe(400);
    expect((await put('maintainer', 999_999, 'reporter')).status).toBe(404);
    expect((await put('owner', bob, 'owner')).status).toBe(200);
    expect((await put('owner', bob, 'reporter')).status).toBe(200);
    expect((await service.as.maintainer('DELETE', `${members}/${bob}`)).status).toBe(204);
    expect((await asBob('GET', encoded)).status).toBe(404);
    expect((await service.as.maintainer('DELETE', `${members}/${bob}`)).status).toBe(404);
  });

  test('may leave, except the last owner', async () => {
    const carol = await service.user('carol');
    await put('maintainer', carol, 'reporter');
    const asCarol = service.with(await service.token(carol, ['api']));
    expect((await asCarol('DELETE', `${members}/${service.userIds.reporter}`)).status).toBe(403);
    expect((await asCarol('DELETE', `${members}/${carol}`)).status).toBe(204);
    for (const by of ['owner', 'steward'] as const) {
      expect((await service.as[by]('DELETE', `${members}/${service.userIds.owner}`)).body).toMatchObject({
        status: 409,
        type: 'urn:benchport:problem:last-owner',
      });
      expect((await put(by, service.userIds.owner, 'developer')).status).toBe(409);
    }
  });

  test("two owners who remove each other's role at once leave one", async () => {
    const second = await service.user('second-owner');
    await put('owner', second, 'owner');
    const asSecond = service.with(await service.token(second, ['api']));
    const answers = await Promise.all([
      put('owner', second, 'reporter'),
      asSecond('PUT', `${members}/${service.userIds.owner}`, { role: 'reporter' }),
      service.as.steward('DELETE', `${members}/${second}`),
    ]);
    expect(answers.map(({ status }) => status)).not.toEqual([200, 200, 204]);
    expect(
      ((await service.as.steward('GET', members)).body as ProjectMember[]).filter(({ role }) => role === 'owner')
        .length,
    ).toBeGreaterThan(0);
    await service.services.projects.setMember(service.projectId, service.userIds.owner, 'owner');
  });

  test('need not include the owner of the window, who is an administrator', async () => {
    expect(await asWindow(service, 'GET', encoded)).toMatchObject({
      status: 200,
      body: { role: null, may_manage: true },
    });
  });
});

describe('addresses of projects', () => {
  test.each([
    ['/lab/qmr/-/error_tracking.json?x=/-/', '/lab%2Fqmr/-/error_tracking.json?x=/-/'],
    ['/lab/a/b/-/error_tracking/12/details.json', '/lab%2Fa%2Fb/-/error_tracking/12/details.json'],
    ['/lab/-/error_tracking', '/lab/-/error_tracking'],
    ['/-/health', '/-/health'],
    ['/api/v4/-/x', '/api/v4/-/x'],
    ['/measurements/m/-/x', '/measurements/m/-/x'],
    ['/lab/../x/-/y', '/lab/../x/-/y'],
    ['/lab?x=/a/-/b', '/lab?x=/a/-/b'],
    ['//evil.example/-/x', '//evil.example/-/x'],
    ['/lab/x?y/-/z', '/lab/x?y/-/z'],
    ['/', '/'],
  ])('%s is routed as %s', (address, routed) => expect(withProjectAsOneSegment(address)).toBe(routed));

  test('without a project are addresses of the service', async () => {
    const document = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as { readonly paths: object };
    const first = new Set(Object.keys(document.paths).map((path) => path.split('/')[1] ?? ''));
    for (const segment of first)
      if (!segment.startsWith('{')) expect(isProjectPath(`${segment}/x`), segment).toBe(false);
    for (const screen of ['ui', 'users', 'oauth', 'profile', 'assets', 'setup', 'v2'])
      expect(isProjectPath(`${screen}/x`), screen).toBe(false);
  });
});
