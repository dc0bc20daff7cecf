import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { recoveryCodesStore } from '../../../src-main/service/accounts/store/recovery-codes-store.ts';
import { signInFailuresStore } from '../../../src-main/service/accounts/store/sign-in-failures-store.ts';
import { totpKeysStore } from '../../../src-main/service/accounts/store/totp-keys-store.ts';
import { usersStore, type UsersStore } from '../../../src-main/service/accounts/store/users-store.ts';
import { webauthnKeysStore } from '../../../src-main/service/accounts/store/webauthn-keys-store.ts';
import { projectsStore } from '../../../src-main/service/projects/projects-store.ts';
import { rounds, useTwoReplicas } from './two-replicas.ts';

const { both, execute } = useTwoReplicas();

const clear = async () => execute('DELETE FROM users; DELETE FROM projects');

async function addUser(users: UsersStore, username: string, isAdmin = false): Promise<number> {
  const row = await users.create({ username, name: username, email: null, passwordHash: null, isAdmin });
  if (!row) throw new Error(`${username} exists`);
  return row.id;
}

const demotions: Readonly<Record<string, (users: UsersStore, id: number) => Promise<boolean>>> = {
  demoted: async (users, id) => users.setAdmin(id, false),
  blocked: async (users, id) => users.setState(id, 'blocked'),
  removed: async (users, id) => users.remove(id),
};
const pairs = Object.keys(demotions).flatMap((first, at, all) =>
  all.slice(at).map((second) => [first, second] as const),
);

test.each(pairs.slice(1))('an active administrator is left when one is %s while the other is %s', async (...names) => {
  const [a, b] = both(({ database }) => usersStore(database));
  const [first, second] = names.map((name) => demotions[name]);
  if (!first || !second) throw new Error('unknown');
  for (let round = 0; round < rounds; round += 1) {
    await clear();
    const ids = [await addUser(a, 'alice', true), await addUser(a, 'bob', true)] as const;
    const done = await Promise.all([first(a, ids[0]), second(b, ids[1])]);
    expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
    expect(await a.firstAdministrator()).not.toBeNull();
  }
});

test('a recovery code is used once', async () => {
  await clear();
  const [users] = both(({ database }) => usersStore(database));
  const [a, b] = both(({ database }) => recoveryCodesStore(database));
  const alice = await addUser(users, 'alice');
  for (let round = 0; round < rounds; round += 1) {
    const code = randomBytes(32);
    await a.replace(alice, [code]);
    const done = await Promise.all([a.use(alice, code, round), b.use(alice, code, round)]);
    expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
    expect(await a.left(alice)).toBe(0);
  }
});

test('a code of an authenticator is used once, and no older one after it', async () => {
  await clear();
  const [users] = both(({ database }) => usersStore(database));
  const [a, b] = both(({ database }) => totpKeysStore(database));
  const alice = await addUser(users, 'alice');
  await a.begin(alice, randomBytes(32), 1);
  await a.confirm(alice, 1, 1);
  for (let step = 10; step < 10 + 2 * rounds; step += 2) {
    const same = await Promise.all([a.useStep(alice, step), b.useStep(alice, step)]);
    expect(same.filter(Boolean), `step ${step}`).toHaveLength(1);
    const [, newer] = await Promise.all([a.useStep(alice, step), b.useStep(alice, step + 1)]);
    expect([newer, await a.useStep(alice, step + 1)]).toEqual([true, false]);
  }
});

test('a counter of a security key is accepted once', async () => {
  await clear();
  const [users] = both(({ database }) => usersStore(database));
  const [a, b] = both(({ database }) => webauthnKeysStore(database));
  const alice = await addUser(users, 'alice');
  const key = { user_id: alice, name: 'key', credential_id: randomBytes(16), public_key: randomBytes(32) };
  const { id = 0 } = (await a.add({ ...key, counter: 0, transports: '' }, 1)) ?? {};
  for (let counter = 1; counter <= rounds; counter += 1) {
    const done = await Promise.all([a.recordUse(id, counter, 1), b.recordUse(id, counter, 1)]);
    expect(done.filter(Boolean), `counter ${counter}`).toHaveLength(1);
  }
});

test('a security key belongs to one account', async () => {
  await clear();
  const [users] = both(({ database }) => usersStore(database));
  const [a, b] = both(({ database }) => webauthnKeysStore(database));
  const owners = [await addUser(users, 'alice'), await addUser(users, 'bob')];
  for (let round = 0; round < rounds; round += 1) {
    const key = {
      name: 'key',
      credential_id: randomBytes(16),
      public_key: randomBytes(32),
      counter: 0,
      transports: '',
    };
    const done = await Promise.all(owners.map(async (user_id, at) => (at === 0 ? a : b).add({ ...key, user_id }, 1)));
    expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
  }
});

test('each wrong password counts', async () => {
  await clear();
  const [users] = both(({ database }) => usersStore(database));
  const [a, b] = both(({ database }) => signInFailuresStore(database));
  const alice = await addUser(users, 'alice');
  for (let round = 0; round < rounds; round += 1) {
    const now = 1_700_000_000_000 + round;
    const place = (name: string) => ({ address: '192.0.2.1', name, known: false });
    await Promise.all([a, b].map(async (store, at) => store.record(alice, 'wrong password', place(`n${at}`), now)));
    expect((await users.byId(alice))?.failed_sign_ins, `round ${round}`).toBe(2);
    await a.clear(alice);
  }
});

test('a path of a project is given once', async () => {
  await clear();
  const [a, b] = both(({ database }) => projectsStore(database));
  for (let round = 0; round < rounds; round += 1) {
    const done = await Promise.all([a.create(`lab-${round}`, 'A'), b.create(`lab-${round}`, 'B')]);
    expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
  }
});
