import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { usersStore } from '../../../src-main/service/accounts/store/users-store.ts';
import { settingsStore } from '../../../src-main/service/database/settings-store.ts';
import { idTokenKey, signingKey } from '../../../src-main/service/secrets/signing-key.ts';
import { secretBox } from '../../../src-main/service/secrets/secret-box.ts';
import { secretKeyOf } from '../../../src-main/service/secrets/secret-key.ts';
import { secretDigest } from '../../../src-main/service/secrets/secret-digest.ts';
import { ShortLived } from '../../../src-main/service/short-lived/short-lived.ts';
import { shortLivedStore } from '../../../src-main/service/short-lived/short-lived-store.ts';
import { tokensStore } from '../../../src-main/service/tokens/tokens-store.ts';
import { rounds, useTwoReplicas } from './two-replicas.ts';

const { both, execute } = useTwoReplicas();

test('a short-lived value is taken by one', async () => {
  const limits = { kind: 'page', maxEntries: 100, maxPerOwner: 100 };
  const [a, b] = both(({ database }) => new ShortLived<{ round: number }>(shortLivedStore(database), limits));
  for (let round = 0; round < rounds; round += 1) {
    await a.put(`secret ${round}`, 1, { round }, Date.now() + 60_000);
    const taken = await Promise.all([a.take(`secret ${round}`), b.take(`secret ${round}`)]);
    expect(
      taken.filter((value) => value !== null),
      `round ${round}`,
    ).toEqual([{ round }]);
  }
});

test('values that two replicas put at once stay within the limits', async () => {
  const limits = { kind: 'many', maxEntries: 10, maxPerOwner: 4 };
  const [a, b] = both(({ database }) => new ShortLived<{ round: number }>(shortLivedStore(database), limits));
  const found = async () => {
    const secrets = Array.from({ length: rounds }, (_, round) => [`a${round}`, `b${round}`]).flat();
    return (await Promise.all(secrets.map(async (secret) => a.peek(secret)))).filter((value) => value !== null);
  };
  for (let round = 0; round < rounds; round += 1) {
    const until = Date.now() + 60_000 + round;
    await Promise.all([a.put(`a${round}`, 1, { round }, until), b.put(`b${round}`, 2, { round }, until)]);
  }
  expect((await found()).map(({ round }) => round).toSorted((x, y) => x - y)).toEqual(
    [4, 3, 2, 1].flatMap((back) => [rounds - back, rounds - back]),
  );
});

test('a setting that two replicas make at once has one value', async () => {
  const [a, b] = both(({ database }) => settingsStore(database));
  for (let round = 0; round < rounds; round += 1) {
    const key = `made ${round}`;
    const first = await Promise.all([a.addIfAbsent(key, 'of a'), b.addIfAbsent(key, 'of b')]);
    expect(new Set(first), `round ${round}`).toEqual(new Set([await a.get(key)]));
    const next = await Promise.all([a.replace(key, first[0], 'next of a'), b.replace(key, first[0], 'next of b')]);
    expect(new Set(next), `round ${round}`).toEqual(new Set([await b.get(key)]));
    expect(next[0]).toMatch(/^next of/);
  }
});

test('two replicas sign with one key, also in place of one that cannot be read', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-signing-'));
  const secrets = secretBox(secretKeyOf({ dataDir: dir }));
  const log = pino({ level: 'silent' });
  try {
    for (const stored of [null, Buffer.from('sealed with a lost key').toString('base64')]) {
      for (let round = 0; round < 5; round += 1) {
        const [a, b] = both(({ database }) => settingsStore(database));
        await execute("DELETE FROM settings WHERE key = 'oauth.signing_key'");
        if (stored !== null) await a.set('oauth.signing_key', stored);
        const keys = await Promise.all(
          [a, b].map(async (settings) => signingKey({ settings, secrets, log }, idTokenKey)()),
        );
        const later = await signingKey({ settings: a, secrets, log }, idTokenKey)();
        expect(new Set(keys.map(({ kid }) => kid)), `round ${round}`).toEqual(new Set([later.kid]));
      }
    }
  } finally {
    await rm(dir, { recursive: true });
  }
});

test('the last use of a token is never set back', async () => {
  const [a, b] = both(({ database }) => tokensStore(database));
  const user = await both(({ database }) => usersStore(database))[0].create({
    username: 'alice',
    name: 'Alice',
    email: null,
    passwordHash: null,
    isAdmin: false,
  });
  const token = await a.create({
    userId: user?.id ?? 0,
    name: 'x',
    description: '',
    scopes: ['read_api'],
    tokenHash: secretDigest('x'),
    expiresAt: null,
  });
  for (let round = 1; round <= rounds; round += 1) {
    const at = round * 1000;
    await Promise.all([
      a.recordUse([{ tokenId: token.id, at: at - 500, address: '192.0.2.1' }]),
      b.recordUse([{ tokenId: token.id, at, address: '192.0.2.2' }]),
    ]);
    expect(await a.byId(token.id), `round ${round}`).toMatchObject({
      last_used_at: at,
      last_used_address: '192.0.2.2 192.0.2.1',
    });
  }
});
