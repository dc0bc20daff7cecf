import { describe, expect, test } from 'vitest';
import { newTotpKey, totpStep, totpUri } from '../../../../src-main/service/accounts/second-factors/totp.ts';
import { oathtool, signedIn } from '../second-factor-browser.ts';
import { setUpFactors } from './factors-scene.ts';

const { service, somebody } = setUpFactors();

describe('an authenticator', () => {
  test('S97 agrees with oathtool in this step, the one before and the one after, and in no other', () => {
    for (let round = 0; round < 20; round += 1) {
      const key = newTotpKey();
      const now = 1_790_000_000_000 + round * 987_654_321;
      const step = Math.floor(now / 30_000);
      for (const offset of [-1, 0, 1])
        expect(totpStep(key, oathtool(key, now + offset * 30_000), now)).toBe(step + offset);
      for (const offset of [-2, 2]) expect(totpStep(key, oathtool(key, now + offset * 30_000), now)).toBeNull();
    }
  });

  test('is set up with a key of 160 bits that only a first code turns on', async () => {
    const user = await signedIn(service, 'setting-up');
    const begun = await user.call('POST', '/api/v4/user/totp', {});
    expect(begun.status).toBe(201);
    const { secret, uri } = (await begun.json()) as { secret: string; uri: string };
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toBe(totpUri(secret, 'setting-up', new URL(service.url).host));
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(await service.services.secondFactors.enabled(user.userId)).toBe(false);
    expect((await user.call('POST', '/api/v4/user/totp/confirm', { code: '000000' })).status).toBe(400);
    const answer = await user.call('POST', '/api/v4/user/totp/confirm', {
      code: oathtool(secret).replace(/(...)/, '$1 '),
    });
    expect(answer.status).toBe(200);
    expect(await service.services.secondFactors.enabled(user.userId)).toBe(true);
    expect(await (await user.browser.get('/api/v4/user/account')).json()).toMatchObject({
      totp: true,
      recovery_codes_left: 10,
    });
    expect((await user.call('POST', '/api/v4/user/totp', {})).status).toBe(409);
    expect((await user.call('POST', '/api/v4/user/totp/confirm', { code: oathtool(secret) })).status).toBe(409);

    expect((await user.call('DELETE', '/api/v4/user/totp')).status).toBe(204);
    expect(await (await user.browser.get('/api/v4/user/account')).json()).toMatchObject({
      totp: false,
      recovery_codes_left: 0,
    });
  });

  test('S72 has its key sealed in the database', async () => {
    const user = await somebody();
    const row = await service.services.totpKeys.ofUser(user.userId);
    expect(row?.sealed_key.includes(user.key)).toBe(false);
    expect(service.services.secrets.open(`totp:${user.userId}`, row?.sealed_key ?? Buffer.of()).toString()).toBe(
      user.key,
    );
    expect(() => service.services.secrets.open(`totp:${user.userId + 1}`, row?.sealed_key ?? Buffer.of())).toThrow();
  });
});
