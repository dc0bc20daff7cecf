import { beforeAll, describe, expect, test } from 'vitest';
import { asWindow } from '../../as-window.ts';
import { addUser, setState } from '../../people.ts';
import { useTestService } from '../../use-service.ts';

const service = useTestService();
let admin: string;
let bob: string;
const ids: Record<string, number> = {};

beforeAll(async () => {
  for (const name of ['alice', 'bob', 'bobby', 'carol', 'Dora']) {
    ids[name] = (
      await addUser(service.services, name, {
        name: `${name} of the lab`,
        email: `${name}@lab.example`,
        isAdmin: name === 'alice',
      })
    ).id;
  }
  await setState(service.services, 'carol', 'blocked');
  admin = await service.token(ids['alice'] ?? 0, ['api']);
  bob = await service.token(ids['bob'] ?? 0, ['read_api']);
});

async function get(
  path: string,
  token = bob,
): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }> {
  const answer = await fetch(service.url + path, { headers: { 'private-token': token } });
  return { status: answer.status, body: await answer.json(), headers: answer.headers };
}

async function names(query: string, token = bob): Promise<readonly string[]> {
  const { status, body } = await get(`/api/v4/users${query}`, token);
  expect(status).toBe(200);
  return (body as readonly { readonly username: string }[]).map(({ username }) => username);
}

describe('B1: the list of users has GitLab’s filters', () => {
  test.each([
    ['?username=bob', ['bob']],
    ['?username=BOB', ['bob']],
    ['?username=dora', ['Dora']],
    ['?username=bo', []],
    ['?username=nobody', []],
    ['?username=', []],
    ['?username=%25', []],
    ['?username=carol', ['carol']],
    ['?username=carol&active=true', []],
    ['?search=bob', ['bob', 'bobby']],
    ['?search=OF%20THE%20LAB&active=true', ['alice', 'bob', 'bobby', 'Dora']],
    ['?blocked=true', ['carol']],
    ['?active=true&blocked=true', []],
    ['?active=false&username=carol', ['carol']],
    ['', ['alice', 'bob', 'bobby', 'carol', 'Dora']],
    ['?per_page=2&page=2', ['bobby', 'carol']],
    ['?per_page=2&page=9', []],
    ['?username=bob&order_by=id&sort=asc', ['bob']],
  ])('%s', async (query, expected) => expect(await names(query)).toEqual(expected));

  test('pages have GitLab’s headers', async () => {
    const { headers } = await get('/api/v4/users?per_page=2');
    expect(['x-total', 'x-total-pages', 'x-next-page'].map((name) => headers.get(name))).toEqual(['5', '3', '2']);
  });

  test('e-mail addresses are searched and shown for administrators only', async () => {
    expect(await names('?search=BOB%40lab.example')).toEqual([]);
    expect(await names('?search=BOB%40lab.example', admin)).toEqual(['bob']);
    expect((await get('/api/v4/users?username=bob')).body).toEqual([
      expect.not.objectContaining({ email: expect.anything() }),
    ]);
    expect((await get('/api/v4/users?username=bob', admin)).body).toMatchObject([
      { email: 'bob@lab.example', is_admin: false, state: 'active' },
    ]);
  });
});

describe('B1: lists refuse unknown parameters', () => {
  test('in every list of the API', async () => {
    const { paths } = (await get('/api/openapi.json')).body as {
      readonly paths: Record<string, Record<string, Operation>>;
    };
    const project = await service.services.projects.create('lab/lists', 'Lists');
    await service.services.projects.setMember(project?.id ?? 0, ids['alice'] ?? 0, 'owner');
    let lists = 0;
    for (const [path, { get: operation }] of Object.entries(paths)) {
      const schema = operation?.responses['200']?.content?.['application/json']?.schema;
      const queried = operation?.parameters?.some(({ in: where }) => where === 'query') === true;
      if (!path.startsWith('/api/v4/') || !(schema?.type === 'array' || queried)) continue;
      lists += 1;
      const address = `${path.replace('/projects/{id}', `/projects/${project?.id}`).replaceAll(/\{[^}]+\}/g, '7')}?colour_of_eyes=blue`;
      const { status, text } = path.startsWith('/api/v4/local/') ? await inWindow(address) : await asAdmin(address);
      expect([path, status, text]).toEqual([
        path,
        400,
        expect.stringContaining('This list has no parameter colour_of_eyes.'),
      ]);
    }
    expect(lists).toBeGreaterThan(25);
  });

  test('a list without pages of its own is paged on request, and the pages end', async () => {
    const project = await service.services.projects.create('lab/pages', 'Pages');
    for (const name of ['alice', 'bob', 'bobby'])
      await service.services.projects.setMember(project?.id ?? 0, ids[name] ?? 0, 'owner');
    const members = async (query: string) => {
      const { status, body, headers } = await get(`/api/v4/projects/${project?.id}/members${query}`);
      return [
        status,
        (body as readonly { readonly username: string }[]).map(({ username }) => username),
        headers.get('x-next-page'),
      ];
    };
    expect(await members('')).toEqual([200, ['alice', 'bob', 'bobby'], null]);
    expect(await members('?per_page=2')).toEqual([200, ['alice', 'bob'], '2']);
    expect(await members('?per_page=2&page=2')).toEqual([200, ['bobby'], '']);
    expect(await members('?page=3')).toEqual([200, [], '']);
    expect((await get(`/api/v4/projects/${project?.id}/members?page=0`)).status).toBe(400);
    expect((await get(`/api/v4/projects/${project?.id}/members?page=1&page=2`)).status).toBe(400);
  });
});

interface Operation {
  readonly parameters?: readonly { readonly in: string }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: { readonly type?: string } }>> }>
  >;
}

async function asAdmin(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(service.url + path, { headers: { 'private-token': admin } });
  return { status: answer.status, text: await answer.text() };
}

async function inWindow(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const { status, body } = await asWindow(service, 'GET', path);
  return { status, text: JSON.stringify(body) };
}

describe('requests of programs written for GitLab', () => {
  test('a user by number', async () => {
    expect(await get(`/api/v4/users/${ids['bobby']}`)).toMatchObject({
      status: 200,
      body: { id: ids['bobby'], username: 'bobby', state: 'active' },
    });
    expect((await get('/api/v4/users/999')).status).toBe(404);
  });

  test('the version, as JupyterHub reads it', async () => {
    const { status, body } = await get('/api/v4/version');
    const { version } = body as { readonly version: string };
    expect([status, version.split('-')[0]?.split('.').length]).toEqual([200, 3]);
  });

  test('members and one member, also with inherited ones', async () => {
    const project = await service.services.projects.create('lab/members', 'Members');
    await service.services.projects.setMember(project?.id ?? 0, ids['bob'] ?? 0, 'developer');
    for (const all of ['', '/all']) {
      const base = `/api/v4/projects/lab%2Fmembers/members${all}`;
      expect(await get(base)).toMatchObject({
        status: 200,
        body: [{ username: 'bob', access_level: 30, state: 'active' }],
      });
      expect(await get(`${base}/${ids['bob']}`)).toMatchObject({
        status: 200,
        body: { username: 'bob', access_level: 30 },
      });
      expect((await get(`${base}/${ids['bobby']}`)).status).toBe(404);
      expect((await get(`${base}/${ids['bob']}`, await service.token(ids['bobby'] ?? 0, ['api']))).status).toBe(404);
    }
    expect((await get('/api/v4/projects?search=members')).body).toMatchObject([{ path_with_namespace: 'lab/members' }]);
  });

  test('D4: a fixed path beside a numbered one allows its own methods only', async () => {
    const allow = async (path: string) => (await fetch(service.url + path, { method: 'OPTIONS' })).headers.get('allow');
    expect(await allow('/api/v4/users/managed')).toBe('GET, HEAD, OPTIONS');
    expect(await allow(`/api/v4/users/${ids['bob']}`)).toBe('DELETE, GET, HEAD, OPTIONS, PUT');
    expect(await allow('/api/v4/local/servers/certificate')).toBe('OPTIONS, POST');
  });

  test('D3: the OpenAPI document says that two credentials at once are refused, and names its licence', async () => {
    const { info, paths } = (await get('/api/openapi.json')).body as {
      readonly info: object;
      readonly paths: Record<string, Record<string, Operation>>;
    };
    expect(info).toMatchObject({ license: { name: 'MIT' } });
    expect(Object.keys(paths['/api/v4/user']?.['get']?.responses ?? {})).toContain('400');
  });

  test('an unknown address gets the answer of GitLab’s API, except the window’s own', async () => {
    const unknown = await get('/api/v4/groups');
    expect([unknown.status, unknown.headers.get('content-type'), unknown.body]).toMatchObject([
      404,
      'application/json',
      { error: '404 Not Found' },
    ]);
    expect((await get('/api/v5/groups')).headers.get('content-type')).toBe('application/problem+json');
  });
});
