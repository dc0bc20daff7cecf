import { hash } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { removeApplication } from '../../../../src-main/service/oauth/applications/application-change.ts';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { openBeside } from '../../fixture-measurement.ts';
import { setState } from '../../people.ts';
import { invalidGrant, pairOf, refusal, startIssuer, tokenMembers } from '../token-fixture.ts';
import { useWorld } from '../../use-service.ts';

const issuer = useWorld(startIssuer);
let web: RegisteredApplication;
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

beforeAll(async () => {
  web = await issuer.register();
});

describe('a code', () => {
  test('S66 S68 is exchanged for a token with the members of the interface in their order', async () => {
    const before = Math.floor(Date.now() / 1000);
    const answer = await issuer.tokenRequest(issuer.exchange(web, await issuer.code(web)));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(answer.body)).toEqual(tokenMembers);
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'read_user read_api' });
    // S74: 256 bits each, from the system's generator.
    expect(answer.body['access_token']).toMatch(/^[0-9a-f]{64}$/);
    expect(answer.body['refresh_token']).toMatch(/^[0-9a-f]{64}$/);
    expect(answer.body['created_at']).toBeGreaterThanOrEqual(before);
    expect(await issuer.userStatus(String(answer.body['access_token']))).toBe(200);
  });

  test('S50 is single use under concurrency: of 50 exchanges at once one succeeds', async () => {
    const form = issuer.exchange(web, await issuer.code(web));
    const answers = await Promise.all(Array.from({ length: 50 }, () => issuer.tokenRequest(form)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ status }) => status !== 200).map(refusal)).toEqual(
      Array.from({ length: 49 }, () => invalidGrant),
    );
  });

  test('S51 reused, it revokes the tokens that it was exchanged for, refreshed ones included, and nothing else', async () => {
    const other = await issuer.pair(web);
    const form = issuer.exchange(web, await issuer.code(web));
    const first = pairOf(await issuer.tokenRequest(form));
    const second = pairOf(await issuer.refresh(web, first.refresh));
    for (let use = 0; use < 3; use += 1) expect(await issuer.userStatus(second.access)).toBe(200);
    expect(refusal(await issuer.tokenRequest(form))).toEqual(invalidGrant);
    expect(await issuer.userStatus(second.access)).toBe(401);
    expect(refusal(await issuer.refresh(web, second.refresh))).toEqual(invalidGrant);
    expect(await issuer.userStatus(other.access)).toBe(200);
    expect(
      issuer.audited(web.application.id).filter(({ action }) => action === 'oauth.code-replay').length,
    ).toBeGreaterThan(0);
  });

  test('S52 ends after 600 s', async () => {
    const issuedAt = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: issuedAt });
    try {
      const [late, inTime] = [await issuer.code(web), await issuer.code(web)];
      vi.setSystemTime(issuedAt + 599_000);
      expect((await issuer.tokenRequest(issuer.exchange(web, inTime))).status).toBe(200);
      vi.setSystemTime(issuedAt + 600_000);
      expect(refusal(await issuer.tokenRequest(issuer.exchange(web, late)))).toEqual(invalidGrant);
    } finally {
      vi.useRealTimers();
    }
  });

  test('S53 matches only the redirect_uri of its request, and a wrong one does not use it up', async () => {
    const code = await issuer.code(web);
    for (const redirect_uri of [
      'https://app.example/callback/',
      'https://app.example/other',
      'https://APP.example/callback',
    ]) {
      expect(refusal(await issuer.tokenRequest(issuer.exchange(web, code, { redirect_uri })))).toEqual(invalidGrant);
    }
    expect((await issuer.tokenRequest(issuer.exchange(web, code))).status).toBe(200);
  });

  test('S54 belongs to its client; another one can neither use it nor revoke its tokens', async () => {
    const other = await issuer.register({ name: 'Other' });
    const code = await issuer.code(web);
    expect(refusal(await issuer.tokenRequest(issuer.exchange(other, code)))).toEqual(invalidGrant);
    const { access } = pairOf(await issuer.tokenRequest(issuer.exchange(web, code)));
    expect(refusal(await issuer.tokenRequest(issuer.exchange(other, code)))).toEqual(invalidGrant);
    expect(await issuer.userStatus(access)).toBe(200);
  });

  test('S55 needs the verifier of its challenge', async () => {
    const code = await issuer.code(web, { codeChallenge });
    expect(refusal(await issuer.tokenRequest(issuer.exchange(web, code)))).toEqual([400, 'invalid_request']);
    for (const code_verifier of [
      `${verifier}x`,
      verifier.slice(1),
      'a'.repeat(43),
      'a'.repeat(129),
      `${verifier.slice(1)}+`,
      `${verifier} `,
      codeChallenge,
    ]) {
      expect(refusal(await issuer.tokenRequest(issuer.exchange(web, code, { code_verifier })))).toEqual(invalidGrant);
    }
    expect((await issuer.tokenRequest(issuer.exchange(web, code, { code_verifier: verifier }))).status).toBe(200);
  });

  test.each([
    ['short', 'v'.repeat(42)],
    ['long', 'v'.repeat(129)],
    ['with other characters', `${'v'.repeat(42)}!`],
    ['with a space', `${'v'.repeat(42)} `],
  ])('S55 refuses a verifier that matches but is %s', async (_what, code_verifier) => {
    const code = await issuer.code(web, { codeChallenge: hash('sha256', code_verifier, 'base64url') });
    expect(refusal(await issuer.tokenRequest(issuer.exchange(web, code, { code_verifier })))).toEqual(invalidGrant);
  });

  test('S56 of a request without a challenge refuses a verifier', async () => {
    const code = await issuer.code(web);
    expect(refusal(await issuer.tokenRequest(issuer.exchange(web, code, { code_verifier: verifier })))).toEqual(
      invalidGrant,
    );
    expect((await issuer.tokenRequest(issuer.exchange(web, code))).status).toBe(200);
  });

  test('is invalid once its user is blocked, its approval revoked, or its application removed', async () => {
    const bob = issuer.ids.bob;
    const blocked = await issuer.code(web, { userId: bob });
    await setState(issuer.services, 'bob', 'blocked');
    expect(refusal(await issuer.tokenRequest(issuer.exchange(web, blocked)))).toEqual(invalidGrant);
    await setState(issuer.services, 'bob', 'active');

    const takenBack = await issuer.code(web, { userId: bob });
    await issuer.services.oauth.revokeOfUserAndApplication(bob, web.application.id);
    expect(refusal(await issuer.tokenRequest(issuer.exchange(web, takenBack)))).toEqual(invalidGrant);

    const gone = await issuer.register();
    const orphan = await issuer.code(gone);
    await removeApplication(issuer.services, gone.application, { userId: null, address: null });
    expect(refusal(await issuer.tokenRequest(issuer.exchange(gone, orphan)))).toEqual([401, 'invalid_client']);
  });

  test('is invalid once another process has revoked its grant', async () => {
    const code = await issuer.code(web);
    const beside = openBeside(issuer);
    beside
      .prepare('UPDATE oauth_grants SET revoked_at = ? WHERE id = (SELECT max(id) FROM oauth_grants)')
      .run(Date.now());
    beside.close();
    expect(refusal(await issuer.tokenRequest(issuer.exchange(web, code)))).toEqual(invalidGrant);
  });
});

test('S73 secrets are stored and compared as digests only', async () => {
  const code = await issuer.code(web);
  const { access, refresh } = pairOf(await issuer.tokenRequest(issuer.exchange(web, code)));
  const beside = openBeside(issuer);
  const dump = ['oauth_applications', 'oauth_grants', 'oauth_codes', 'oauth_tokens', 'audit_events']
    .flatMap((table) => beside.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).all())
    .flatMap((row) => Object.values(row))
    // A blob could hold a secret as text or as its decoded bytes.
    .map((value) => (Buffer.isBuffer(value) ? `${value.toString('latin1')} ${value.toString('hex')}` : String(value)))
    .join('\n');
  beside.close();
  for (const secret of [code, access, refresh, web.secret ?? '']) expect(dump).not.toContain(secret);
});
