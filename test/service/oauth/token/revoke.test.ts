import { expect, test } from 'vitest';
import { basic, password } from '../token-fixture.ts';
import { useClients } from './token-clients.ts';

const scene = useClients();
const { issuer } = scene;

const client = () => basic(scene.web.application.clientId, scene.web.secret ?? '');
const revoke = (form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = client()) =>
  issuer.post('/oauth/revoke', form, headers);

test.each(['access', 'refresh'] as const)(
  'S79 S80 revoking the %s token ends both, with the next request',
  async (half) => {
    const pair = await issuer.pair(scene.web);
    expect(await issuer.userStatus(pair.access)).toBe(200);
    const answer = await revoke({ token: pair[half] });
    expect([answer.status, answer.text]).toEqual([200, '{}']);
    expect(await issuer.userStatus(pair.access)).toBe(401);
    expect((await issuer.refresh(scene.web, pair.refresh)).body['error']).toBe('invalid_grant');
    expect((await revoke({ token: pair[half] })).status).toBe(200);
    expect(issuer.audited(scene.web.application.id).at(-1)).toEqual({
      action: 'oauth.revoke',
      detail: 'by the client',
    });
  },
);

test('S79 a wrong or unknown hint does not hide a token', async () => {
  for (const token_type_hint of ['refresh_token', 'access_token', 'nonsense']) {
    const { access, refresh } = await issuer.pair(scene.web);
    expect((await revoke({ token: access, token_type_hint })).status).toBe(200);
    expect(await issuer.userStatus(access)).toBe(401);
    const other = await issuer.pair(scene.web);
    expect((await revoke({ token: other.refresh, token_type_hint })).status).toBe(200);
    expect(await issuer.userStatus(other.access)).toBe(401);
    expect((await issuer.refresh(scene.web, refresh)).status).toBe(400);
  }
});

test('S79 an unknown token counts as revoked', async () => {
  for (const token of ['f'.repeat(64), 'nonsense', await issuer.token(issuer.ids.alice, ['api'])]) {
    const answer = await revoke({ token });
    expect([answer.status, answer.text]).toEqual([200, '{}']);
  }
});

test('S79 another client cannot revoke', async () => {
  const other = await issuer.register({ name: 'Other' });
  const { access } = await issuer.pair(scene.web);
  const answer = await revoke({ token: access }, basic(other.application.clientId, other.secret ?? ''));
  expect([answer.status, answer.body['error']]).toEqual([403, 'unauthorized_client']);
  expect(await issuer.userStatus(access)).toBe(200);
});

test('authenticates its client: a confidential one by its secret, a public one by its id', async () => {
  const { access } = await issuer.pair(scene.web);
  for (const answer of [
    await revoke({ token: access }, {}),
    await revoke({ token: access, client_id: scene.web.application.clientId }, {}),
    await revoke({ token: access }, basic(scene.web.application.clientId, 'wrong')),
    await revoke({ token: 'f'.repeat(64) }, {}),
  ]) {
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client']);
  }
  expect(await issuer.userStatus(access)).toBe(200);
  expect((await revoke({})).body).toEqual({
    error: 'invalid_request',
    error_description: 'The parameter token is missing.',
  });

  const code = await issuer.code(scene.desktop, { codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' });
  const exchanged = await issuer.tokenRequest(
    issuer.exchange(scene.desktop, code, { code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' }),
  );
  const token = String(exchanged.body['access_token']);
  expect(await issuer.userStatus(token)).toBe(200);
  expect((await revoke({ token, client_id: scene.desktop.application.clientId }, {})).status).toBe(200);
  expect(await issuer.userStatus(token)).toBe(401);
});

test('a token without an application is revoked by its bearer', async () => {
  const token = String(
    (await issuer.tokenRequest({ grant_type: 'password', username: 'alice', password })).body['access_token'],
  );
  expect(await issuer.userStatus(token)).toBe(200);
  expect((await revoke({ token }, {})).status).toBe(200);
  expect(await issuer.userStatus(token)).toBe(401);
});
