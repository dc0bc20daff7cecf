import { describe, expect, test } from 'vitest';
import type { CreatedApplication } from '../../../../src-main/service/contract/applications.ts';
import { answerOf, authorizePath, callback, press } from '../authorize-fixture.ts';
import { path, useApplications } from './applications-scene.ts';

const scene = useApplications();
const { provider, created, send, list } = scene;

async function tokenFor(application: CreatedApplication, secret: string | null): Promise<Response> {
  const page = await (
    await scene.bob.get(authorizePath({ client_id: application.client_id, prompt: 'consent' }))
  ).text();
  const code = answerOf(await press(scene.bob, page, 'approve')).members['code'] ?? '';
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    client_id: application.client_id,
    client_secret: secret ?? '',
  });
  return fetch(`${provider.url}/oauth/token`, { method: 'POST', body });
}

const whoAmI = async (token: string) =>
  (await fetch(`${provider.url}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })).status;

describe('tokens of an application', () => {
  test('a renewed secret replaces the old one, and affects nothing else', async () => {
    const application = await created(scene.bob);
    const { access_token: token } = (await (await tokenFor(application, application.client_secret)).json()) as {
      access_token: string;
    };
    const { status, body } = await send(scene.bob, 'POST', `${path}/${application.id}/renew_secret`);
    expect(status).toBe(200);
    expect(body['secret']).toMatch(/^bpas-[0-9a-f]{64}$/);
    expect((await tokenFor(application, application.client_secret)).status).toBe(401);
    expect((await tokenFor(application, String(body['secret']))).status).toBe(200);
    expect(await whoAmI(token)).toBe(200);
    const open = await created(scene.bob, { confidential: false });
    expect((await send(scene.bob, 'POST', `${path}/${open.id}/renew_secret`)).status).toBe(422);
  });

  test('S77 end with the application, at once', async () => {
    const application = await created(scene.bob);
    const { access_token: token, refresh_token: refresh } = (await (
      await tokenFor(application, application.client_secret)
    ).json()) as Record<string, string>;
    expect(await whoAmI(token ?? '')).toBe(200);
    expect((await list(scene.bob)).find(({ id }) => id === application.id)?.authorizations).toBe(1);
    expect((await send(scene.bob, 'DELETE', `${path}/${application.id}`)).status).toBe(204);
    expect(await whoAmI(token ?? '')).toBe(401);
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refresh ?? '',
      client_id: application.client_id,
      client_secret: application.client_secret ?? '',
    });
    expect((await fetch(`${provider.url}/oauth/token`, { method: 'POST', body })).status).toBe(401);
    expect(await provider.services.oauth.authorizationsOf(provider.ids.bob)).not.toContainEqual(
      expect.objectContaining({ applicationId: application.id }),
    );
    expect((await send(scene.bob, 'DELETE', `${path}/${application.id}`)).status).toBe(404);
  });

  test("are listed for their user, who revokes them here or at GitLab's address", async () => {
    for (const url of ['/api/v4/user/authorized_applications', '/oauth/authorized_applications']) {
      const application = await created(scene.alice, { name: 'Shown' });
      const { access_token: token } = (await (await tokenFor(application, application.client_secret)).json()) as {
        access_token: string;
      };
      const listed = (await send(scene.bob, 'GET', '/api/v4/user/authorized_applications')).body as unknown as {
        application: { id: number } | null;
      }[];
      expect(listed.find((one) => one.application?.id === application.id)).toMatchObject({
        application: { id: application.id, name: 'Shown', confidential: true, owner: { username: 'alice' } },
        scopes: ['read_user'],
      });
      expect((await send(scene.alice, 'DELETE', `${url}/${application.id}`)).status).toBe(404);
      expect(await whoAmI(token)).toBe(200);
      expect((await send(scene.bob, 'DELETE', `${url}/${application.id}`)).status).toBe(204);
      expect(await whoAmI(token)).toBe(401);
      expect((await send(scene.bob, 'DELETE', `${url}/${application.id}`)).status).toBe(404);
      expect(provider.audited(application.id).at(-1)?.action).toBe('oauth.revoke');
    }
    expect((await send(scene.bob, 'DELETE', '/api/v4/user/authorized_applications/none')).status).toBe(404);
    expect((await send(scene.bob, 'DELETE', '/api/v4/user/authorized_applications/x')).status).toBe(400);
  });
});
