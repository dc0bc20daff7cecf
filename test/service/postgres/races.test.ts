import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { usersStore } from '../../../src-main/service/accounts/store/users-store.ts';
import { clientKeysStore } from '../../../src-main/service/errors/store/client-keys-store.ts';
import { jobsStore } from '../../../src-main/service/jobs/jobs-store.ts';
import { registrationStore } from '../../../src-main/service/measurements/store/registration-store.ts';
import { applicationsStore } from '../../../src-main/service/oauth/store/applications-store.ts';
import { oauthStore } from '../../../src-main/service/oauth/store/oauth-store.ts';
import { membersStore } from '../../../src-main/service/projects/members-store.ts';
import { projectsStore } from '../../../src-main/service/projects/projects-store.ts';
import { secretDigest } from '../../../src-main/service/secrets/secret-digest.ts';
import { tokensStore } from '../../../src-main/service/tokens/tokens-store.ts';
import { rounds, useTwoReplicas } from './two-replicas.ts';

const { both, execute, url } = useTwoReplicas();

const clear = async () =>
  execute('TRUNCATE users, projects, measurements, jobs, personal_access_tokens RESTART IDENTITY CASCADE');
const newUser = (username: string, isAdmin = false, email: string | null = null) => ({
  username,
  name: username,
  email,
  passwordHash: null,
  isAdmin,
});

/** The id of a new user. */
async function addUser(username: string, isAdmin = false): Promise<number> {
  const [users] = both(({ database }) => usersStore(database));
  const row = await users.create(newUser(username, isAdmin));
  if (!row) throw new Error(`${username} exists`);
  return row.id;
}

describe('what two replicas do at once', () => {
  test('an administrator is left when two demote each other', async () => {
    await clear();
    const [a, b] = both(({ database }) => usersStore(database));
    const [first, second] = [await addUser('alice', true), await addUser('bob', true)];
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all([a.setAdmin(first, false), b.setAdmin(second, false)]);
      const left = (await a.all()).filter((user) => user.is_admin === 1);
      expect(left, `round ${round}`).toHaveLength(1);
      await a.setAdmin(first, true);
      await a.setAdmin(second, true);
    }
  });

  test('an owner is left when two remove each other', async () => {
    await clear();
    const [a, b] = both(({ database }) => membersStore(database));
    const [projects] = both(({ database }) => projectsStore(database));
    const project = (await projects.create('lab', 'Lab'))?.id ?? 0;
    const [first, second] = [await addUser('alice'), await addUser('bob')];
    for (let round = 0; round < rounds; round += 1) {
      await a.setRole(project, first, 'owner');
      await a.setRole(project, second, 'owner');
      const done = await Promise.all([a.remove(project, first), b.setRole(project, second, 'reporter')]);
      expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
      expect((await a.all(project)).filter(({ role }) => role === 'owner')).toHaveLength(1);
    }
  });

  test('one is the first user', async () => {
    const [a, b] = both(({ database }) => usersStore(database));
    for (let round = 0; round < rounds / 10; round += 1) {
      await clear();
      const done = await Promise.all([a.createFirst(newUser('alice', true)), b.createFirst(newUser('bob', true))]);
      expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
    }
  });

  test('one account has an e-mail address, whatever the case of its letters', async () => {
    await clear();
    const [a, b] = both(({ database }) => usersStore(database));
    for (let round = 0; round < rounds; round += 1) {
      const done = await Promise.all([
        a.create(newUser(`a${round}`, false, `MÜLLER${round}@lab.example`)),
        b.create(newUser(`b${round}`, false, `müller${round}@LAB.example`)),
      ]);
      expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
    }
  });

  test('one measurement has an id, whatever the case of its letters', async () => {
    await clear();
    const ownerId = await addUser('alice');
    const [a, b] = both(({ database }) => registrationStore(database));
    for (let round = 0; round < rounds; round += 1) {
      const asked = { title: 'x', ownerId, storage: 'library', root: '' } as const;
      const done = await Promise.all([
        a.reserve({ ...asked, id: `Run-${round}` }),
        b.reserve({ ...asked, id: `run-${round}` }),
      ]);
      expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
    }
  });

  test('a code yields one token', async () => {
    await clear();
    const userId = await addUser('alice');
    const [applications] = both(({ database }) => applicationsStore(database));
    const redirectUri = 'https://app.example/callback';
    const application = await applications.create({
      ownerId: userId,
      name: 'Plotter',
      clientId: randomBytes(16).toString('hex'),
      secretHash: Buffer.alloc(32),
      redirectUris: [redirectUri],
      scopes: ['read_api'],
      trusted: false,
      legacyImplicit: false,
      deviceGrant: false,
    });
    const [a, b] = both(({ database }) => oauthStore(database));
    for (let round = 0; round < rounds; round += 1) {
      const approval = { application, userId, scopes: ['read_api'], redirectUri, codeChallenge: null, nonce: null };
      const code = await a.issueCode({ ...approval, signedInAt: Date.now() });
      const presented = { code, application, redirectUri, verifier: null, address: '192.0.2.1' };
      const done = await Promise.all([a.exchangeCode(presented), b.exchangeCode(presented)]);
      expect(done.map((one) => (one.ok ? 'token' : one.why)).toSorted(), `round ${round}`).toEqual([
        'replayed',
        'token',
      ]);
    }
  });

  test('a token is rotated once', async () => {
    await clear();
    const userId = await addUser('alice');
    const [a, b] = both(({ database }) => tokensStore(database));
    for (let round = 0; round < rounds; round += 1) {
      const hash = () => secretDigest(randomBytes(16).toString('hex'));
      const token = await a.create({
        userId,
        name: 'x',
        description: '',
        scopes: ['read_api'],
        tokenHash: hash(),
        expiresAt: null,
      });
      const next = () => ({ tokenHash: hash(), expiresAt: Date.now() + 1000 });
      const done = await Promise.all([a.rotate(token.id, next()), b.rotate(token.id, next())]);
      expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
    }
  });

  test('a job is started by one', async () => {
    await clear();
    const [a, b] = both(({ database }) => jobsStore(database));
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await a.create({ kind: 'verify', measurementId: 'run', userId: null, parameters: { room: 1 } });
      const done = await Promise.all([a.start(id, 'one'), b.start(id, 'two')]);
      expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
    }
  });

  test('a project gets one first key', async () => {
    await clear();
    const [a, b] = both(({ database, changes }) => clientKeysStore(database, changes));
    const [projects] = both(({ database }) => projectsStore(database));
    for (let round = 0; round < rounds; round += 1) {
      const project = (await projects.create(`lab-${round}`, 'Lab'))?.id ?? 0;
      const done = await Promise.all([a.createFirst(project, `a${round}`), b.createFirst(project, `b${round}`)]);
      expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
    }
  });
});

test('at the usual level of PostgreSQL the same demotion leaves no administrator: the races above are real', async () => {
  await clear();
  const [first, second] = [await addUser('alice', true), await addUser('bob', true)];
  const clients = [new pg.Client({ connectionString: url() }), new pg.Client({ connectionString: url() })];
  await Promise.all(clients.map(async (client) => client.connect()));
  const [a, b] = both(({ database }) => usersStore(database));
  let none = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        [first, second].map(async (id, at) => {
          const client = clients[at];
          await client?.query('BEGIN');
          await client?.query(
            `UPDATE users SET is_admin = 0 WHERE id = $1 AND EXISTS
               (SELECT 1 FROM users AS other WHERE other.is_admin = 1 AND other.id <> users.id)`,
            [id],
          );
          await client?.query('COMMIT');
        }),
      );
      if ((await a.all()).every((user) => user.is_admin === 0)) none += 1;
      await a.setAdmin(first, true);
      await b.setAdmin(second, true);
    }
  } finally {
    await Promise.all(clients.map(async (client) => client.end()));
  }
  expect(none).toBeGreaterThan(0);
});
