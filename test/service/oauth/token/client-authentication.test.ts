import { describe, expect, test } from 'vitest';
import { renewApplicationSecret } from '../../../../src-main/service/oauth/applications/application-change.ts';
import { knownClients } from '../../../../src-main/service/oauth/clients/known-clients.ts';
import { secretDigest } from '../../../../src-main/service/secrets/secret-digest.ts';
import { changeSeen, openBeside } from '../../fixture-measurement.ts';
import { basic } from '../token-fixture.ts';
import { secretOf, useClients, without } from './token-clients.ts';

const scene = useClients();
const { issuer } = scene;

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('the token endpoint', () => {
  test('S43 two authentication methods at once are refused', async () => {
    const form = issuer.exchange(scene.web, await issuer.code(scene.web));
    const both = await issuer.tokenRequest(form, basic(scene.web.application.clientId, secretOf(scene.web)));
    expect([both.status, both.body['error']]).toEqual([400, 'invalid_request']);
    expect(both.headers.get('www-authenticate')).toBeNull();
    expect(
      (
        await issuer.tokenRequest(
          without(form, 'client_secret'),
          basic(scene.web.application.clientId, secretOf(scene.web)),
        )
      ).status,
    ).toBe(200);
  });

  test('S44 Basic and body that name different clients are refused', async () => {
    const form = without(
      issuer.exchange(scene.desktop, await issuer.code(scene.desktop, { codeChallenge }), { code_verifier: verifier }),
      'client_secret',
    );
    const answer = await issuer.tokenRequest(form, basic(scene.web.application.clientId, secretOf(scene.web)));
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request']);
    expect((await issuer.tokenRequest(form)).status).toBe(200);
  });

  test('S45 a public client may send Basic with an empty password, but no other', async () => {
    const form = without(
      issuer.exchange(scene.desktop, await issuer.code(scene.desktop, { codeChallenge }), { code_verifier: verifier }),
      'client_id',
    );
    expect((await issuer.tokenRequest(form, basic(scene.desktop.application.clientId, 'guess'))).status).toBe(401);
    expect(
      (await issuer.tokenRequest({ ...form, client_id: scene.desktop.application.clientId, client_secret: 'guess' }))
        .status,
    ).toBe(401);
    expect((await issuer.tokenRequest(form, basic(scene.desktop.application.clientId, ''))).status).toBe(200);
  });

  test('S46 Basic is form-encoded text in strict base64', async () => {
    const form = without(issuer.exchange(scene.web, await issuer.code(scene.web)), 'client_id', 'client_secret');
    const { clientId } = scene.web.application;
    const plain = btoa(`${clientId}:${secretOf(scene.web)}`);
    for (const value of [
      `${plain}=`,
      `${plain}!`,
      plain.replace(/=*$/, ' x'),
      btoa(`${clientId}%zz:${secretOf(scene.web)}`),
      btoa(clientId),
      '',
      '====',
    ]) {
      const answer = await issuer.tokenRequest(form, { authorization: `Basic ${value}` });
      expect([400, 401], value).toContain(answer.status);
      expect(['invalid_client', 'invalid_request']).toContain(answer.body['error']);
    }
    const encoded = Buffer.from(clientId).toString('hex').replaceAll(/../g, '%$&');
    expect(
      (await issuer.tokenRequest(form, { authorization: `bAsIc ${btoa(`${encoded}:${secretOf(scene.web)}`)}` })).status,
    ).toBe(200);
  });

  test('S47 a confidential client needs its secret, also with a code_verifier', async () => {
    const form = issuer.exchange(scene.web, await issuer.code(scene.web, { codeChallenge }), {
      code_verifier: verifier,
    });
    const answer = await issuer.tokenRequest(without(form, 'client_secret'));
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client']);
    expect((await issuer.tokenRequest({ ...form, client_secret: '' })).status).toBe(401);
    expect(
      (await issuer.tokenRequest(without(form, 'client_secret'), basic(scene.web.application.clientId, ''))).status,
    ).toBe(401);
    expect((await issuer.tokenRequest(form)).status).toBe(200);
  });

  test('S48 a failed authentication uses up neither code nor refresh token', async () => {
    const form = issuer.exchange(scene.web, await issuer.code(scene.web));
    for (let tries = 0; tries < 3; tries += 1)
      expect((await issuer.tokenRequest({ ...form, client_secret: 'wrong' })).status).toBe(401);
    const first = await issuer.tokenRequest(form);
    expect(first.status).toBe(200);
    const refresh = String(first.body['refresh_token']);
    for (let tries = 0; tries < 3; tries += 1)
      expect((await issuer.refresh(scene.web, refresh, { client_secret: 'wrong' })).status).toBe(401);
    expect((await issuer.tokenRequest({ ...form, client_secret: 'wrong' })).status).toBe(401);
    expect(await issuer.userStatus(String(first.body['access_token']))).toBe(200);
    expect((await issuer.refresh(scene.web, refresh)).status).toBe(200);
    expect(
      issuer.audited(scene.web.application.id).filter(({ action }) => action === 'oauth.failed').length,
    ).toBeGreaterThanOrEqual(7);
  });

  test('S49 the challenge is Basic, and only for a client that used it', async () => {
    const form = issuer.exchange(scene.web, 'f'.repeat(64));
    const inBody = await issuer.tokenRequest({ ...form, client_secret: 'wrong' });
    expect([inBody.status, inBody.body['error'], inBody.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      null,
    ]);
    const inHeader = await issuer.tokenRequest(
      without(form, 'client_id', 'client_secret'),
      basic(scene.web.application.clientId, 'wrong'),
    );
    expect([inHeader.status, inHeader.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Benchport"']);
    const unknown = await issuer.tokenRequest(without(form, 'client_id', 'client_secret'), basic('a'.repeat(64), 'x'));
    expect([unknown.status, unknown.text]).toEqual([401, inHeader.text]);
    const nobody = await issuer.tokenRequest(without(form, 'client_id', 'client_secret'));
    expect([nobody.status, nobody.body['error'], nobody.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      null,
    ]);
    const wrongCode = await issuer.tokenRequest(form);
    expect([wrongCode.status, wrongCode.body['error'], wrongCode.headers.get('www-authenticate')]).toEqual([
      400,
      'invalid_grant',
      null,
    ]);
  });

  test('a renewed secret works with the next request, the old one does not, whichever process renewed it', async () => {
    const registered = await issuer.register({ name: 'Renewed' });
    const status = async (secret: string) =>
      (await issuer.tokenRequest({ ...issuer.exchange(registered, 'f'.repeat(64)), client_secret: secret })).body[
        'error'
      ];
    const { application } = registered;
    expect(await status(secretOf(registered))).toBe('invalid_grant');
    const renewed = await renewApplicationSecret(issuer.services, application, { userId: null, address: null });
    expect(await status(secretOf(registered))).toBe('invalid_client');
    expect(await status(renewed)).toBe('invalid_grant');
    const beside = openBeside(issuer);
    beside
      .prepare('UPDATE oauth_applications SET secret_hash = ? WHERE id = ?')
      .run(secretDigest('bpas-other'), application.id);
    beside.close();
    await changeSeen(issuer);
    expect(await status(renewed)).toBe('invalid_client');
    expect(await status('bpas-other')).toBe('invalid_grant');
  });

  test('an application is read once until something changes', async () => {
    const { applications, changes } = issuer.services;
    let reads = 0;
    const byClientId = async (clientId: string) => {
      reads += 1;
      return applications.byClientId(clientId);
    };
    const clients = knownClients({ ...applications, byClientId }, changes);
    const { clientId } = scene.web.application;
    for (let i = 0; i < 3; i += 1) expect((await clients(clientId))?.clientId).toBe(clientId);
    expect(reads).toBe(1);
    changes.bump();
    for (let i = 0; i < 3; i += 1) expect((await clients(clientId))?.clientId).toBe(clientId);
    expect(reads).toBe(2);
    for (let i = 0; i < 2; i += 1) expect(await clients('unknown')).toBeNull();
  });
});
