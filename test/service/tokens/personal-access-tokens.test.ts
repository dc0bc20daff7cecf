import { describe, expect, test, vi } from 'vitest';
import type { CreatedToken, PersonalAccessToken } from '../../../src-main/service/contract/accounts.ts';
import { tokenUses } from '../../../src-main/service/auth/token-uses.ts';
import type { TokenUse } from '../../../src-main/service/tokens/tokens-store.ts';
import { browserAt } from '../browser.ts';
import { asWindow } from '../as-window.ts';
import { inDays, list, password, startTokenWorld } from './token-world.ts';
import { useWorld } from '../use-service.ts';

const world = useWorld(startTokenWorld);

describe('an OAuth token', () => {
  test('S93 is no personal access token and cannot create one: 405 where GitLab says so, and 403', async () => {
    const issued = await world.service.services.oauth.issueDirectly({
      kind: 'password',
      application: null,
      userId: world.alice,
      scopes: ['api'],
      refreshable: false,
      address: null,
    });
    const bearer = (method: string, path: string, body?: object) =>
      fetch(world.service.url + path, {
        method,
        headers: { authorization: `Bearer ${issued?.token.accessToken ?? ''}`, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
      });
    expect((await bearer('GET', '/api/v4/user')).status).toBe(200);
    for (const [method, path] of [
      ['GET', `${list}/self`],
      ['DELETE', `${list}/self`],
      ['POST', `${list}/self/rotate`],
      ['GET', `${list}/self/associations`],
    ] as const) {
      const answer = await fetch(world.service.url + path, {
        method,
        headers: { authorization: `Bearer ${issued?.token.accessToken ?? ''}` },
      });
      expect(answer.status, `${method} ${path}`).toBe(405);
      expect(await answer.json()).toEqual({ message: '405 Method Not Allowed' });
      expect(answer.headers.get('allow')).toBe('');
    }
    expect((await bearer('POST', `${list}/${await world.idOf(world.aliceToken)}/rotate`)).status).toBe(403);
    expect(
      (await bearer('POST', '/api/v4/user/personal_access_tokens', { name: 'x', scopes: ['read_api'] })).status,
    ).toBe(403);
    expect(await world.works(world.aliceToken)).toBe(true);
  });
});

describe('for a user, by an administrator', () => {
  const path = () => `/api/v4/users/${world.bob}/personal_access_tokens`;

  test('S87 a token is created and shown once, from JSON or from the form that GitLab documents', async () => {
    const answer = await world.api('POST', path(), world.adminToken, {
      name: 'for bob',
      scopes: ['read_user'],
      expires_at: inDays(10),
      description: 'bench 3',
    });
    expect(answer.status).toBe(201);
    const created = (await answer.json()) as CreatedToken;
    expect(created).toMatchObject({
      user_id: world.bob,
      name: 'for bob',
      description: 'bench 3',
      expires_at: inDays(10),
    });
    expect(await (await world.api('GET', '/api/v4/user', created.token)).json()).toMatchObject({ username: 'bob' });
    expect(world.auditOf(`token:${created.id}`)).toMatchObject([
      { action: 'token.create', detail: `for user:${world.bob}, read_user` },
    ]);
    const typed = await fetch(world.service.url + path(), {
      method: 'POST',
      headers: { 'private-token': world.adminToken, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=form&scopes[]=read_user&scopes[]=read_api',
    });
    expect(typed.status).toBe(201);
    expect(await typed.json()).toMatchObject({ scopes: ['read_user', 'read_api'], expires_at: inDays(365) });
  });

  test('needs an administrator with the api scope, and a user', async () => {
    expect((await world.api('POST', path(), world.aliceToken, { name: 'x', scopes: ['api'] })).status).toBe(403);
    const reader = await world.service.token(await world.service.user('reading steward', true), ['read_api']);
    expect((await world.api('POST', path(), reader, { name: 'x', scopes: ['api'] })).status).toBe(403);
    expect(
      (
        await world.api('POST', '/api/v4/users/999999/personal_access_tokens', world.adminToken, {
          name: 'x',
          scopes: ['api'],
        })
      ).status,
    ).toBe(404);
    expect((await asWindow(world.service, 'POST', path(), { name: 'from the window', scopes: ['api'] })).status).toBe(
      201,
    );
  });
});

describe('the associations of a token', () => {
  test('are listed as in GitLab', async () => {
    const dora = await world.service.user('dora');
    for (const [path, role] of [
      ['lab/nmr', 'reporter'],
      ['lab/xrd', 'owner'],
    ] as const) {
      const project = await world.service.services.projects.create(path, path.toUpperCase());
      await world.service.services.projects.setMember(project?.id ?? 0, dora, role);
    }
    const token = await world.service.token(dora, ['read_user']);
    const answer = await world.api('GET', `${list}/self/associations`, token);
    expect(answer.headers.get('x-total')).toBe('2');
    expect(await answer.json()).toEqual({
      groups: [],
      projects: [
        expect.objectContaining({
          name: 'LAB/NMR',
          path: 'nmr',
          path_with_namespace: 'lab/nmr',
          web_url: `${world.service.url}/lab/nmr`,
        }),
        expect.objectContaining({
          path_with_namespace: 'lab/xrd',
          access_levels: { project_access_level: 50, group_access_level: null },
        }),
      ],
    });
    const owned = (await (await world.api('GET', `${list}/self/associations?min_access_level=40`, token)).json()) as {
      readonly projects: object[];
    };
    expect(owned.projects).toHaveLength(1);
  });
});

describe('GET /api/v4/user', () => {
  const members =
    `id username name email public_email commit_email state locked avatar_url web_url created_at bio location skype linkedin twitter discord
    website_url organization job_title pronouns bot work_information local_time followers following last_sign_in_at confirmed_at last_activity_on theme_id
    color_scheme_id projects_limit current_sign_in_at identities can_create_group can_create_project two_factor_enabled external private_profile`.split(
      /\s+/,
    );

  test("has GitLab's members, and three more for an administrator", async () => {
    await browserAt(world.service).signIn('alice', password);
    const user = (await (await world.api('GET', '/api/v4/user', world.aliceToken)).json()) as object;
    expect(Object.keys(user)).toEqual(members);
    expect(user).toMatchObject({
      id: world.alice,
      username: 'alice',
      name: 'Alice',
      email: 'alice@bench.example',
      state: 'active',
      locked: false,
      web_url: `${world.service.url}/alice`,
      two_factor_enabled: false,
      identities: [],
      bot: false,
      avatar_url: null,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      current_sign_in_at: expect.stringMatching(/Z$/),
    });
    const admin = (await (await world.api('GET', '/api/v4/user', world.adminToken)).json()) as object;
    expect(Object.keys(admin)).toEqual([...members, 'is_admin', 'current_sign_in_ip', 'last_sign_in_ip']);
    expect(admin).toMatchObject({ is_admin: true, current_sign_in_at: null });
  });
});

describe('the last use', () => {
  test('S91 is written later, and once in ten minutes from each address', async () => {
    vi.useFakeTimers();
    try {
      const written: (readonly TokenUse[])[] = [];
      const uses = tokenUses({
        ...world.service.services.tokens,
        recordUse: async (batch) => void written.push(batch),
      });
      for (let i = 0; i < 100; i += 1) uses.note(1, '192.0.2.1');
      uses.note(1, '192.0.2.2');
      uses.note(2, '192.0.2.1');
      expect(written).toEqual([]);
      await uses.flush();
      expect(written.flat()).toMatchObject([
        { tokenId: 1, address: '192.0.2.1' },
        { tokenId: 1, address: '192.0.2.2' },
        { tokenId: 2, address: '192.0.2.1' },
      ]);
      vi.advanceTimersByTime(9 * 60_000);
      uses.note(1, '192.0.2.1');
      await uses.flush();
      expect(written).toHaveLength(1);
      vi.advanceTimersByTime(60_000);
      uses.note(1, '192.0.2.1');
      await uses.flush();
      expect(written).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test('keeps the last five addresses, the newest first', async () => {
    // A request by its owner would be a use too, written at any moment.
    const made = await world.api('POST', `/api/v4/users/${world.bob}/personal_access_tokens`, world.adminToken, {
      name: 'watched',
      scopes: ['api'],
    });
    const { id } = (await made.json()) as PersonalAccessToken;
    for (const address of ['::1', '192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.1', '192.0.2.4', '192.0.2.5']) {
      await world.service.services.tokens.recordUse([{ tokenId: id, at: Date.now(), address }]);
    }
    const shape = (await (await world.api('GET', `${list}/${id}`, world.adminToken)).json()) as PersonalAccessToken;
    expect(shape.last_used_ips).toEqual(['192.0.2.5', '192.0.2.4', '192.0.2.1', '192.0.2.3', '192.0.2.2']);
    expect(shape.last_used_at).not.toBeNull();
  });

  test('is not set back by a use that is written late', async () => {
    const made = await world.api('POST', `/api/v4/users/${world.bob}/personal_access_tokens`, world.adminToken, {
      name: 'of two processes',
      scopes: ['api'],
    });
    const { id: tokenId } = (await made.json()) as PersonalAccessToken;
    const now = Date.now();
    const { tokens } = world.service.services;
    await tokens.recordUse([{ tokenId, at: now, address: '192.0.2.2' }]);
    await tokens.recordUse([
      { tokenId, at: now - 5000, address: '192.0.2.1' },
      { tokenId, at: now - 4000, address: '192.0.2.2' },
    ]);
    expect(await tokens.byId(tokenId)).toMatchObject({
      last_used_at: now,
      last_used_address: '192.0.2.2 192.0.2.1',
    });
  });
});
