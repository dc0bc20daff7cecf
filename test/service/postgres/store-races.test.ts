import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { usersStore } from '../../../src-main/service/accounts/store/users-store.ts';
import { prepareEvent } from '../../../src-main/service/errors/events/prepare-event.ts';
import { clientKeysStore } from '../../../src-main/service/errors/store/client-keys-store.ts';
import { eventSetsStore } from '../../../src-main/service/errors/store/event-sets-store.ts';
import { mergeStore } from '../../../src-main/service/errors/store/merge-store.ts';
import { jobsStore } from '../../../src-main/service/jobs/jobs-store.ts';
import { grantsStore } from '../../../src-main/service/measurements/store/grants-store.ts';
import { registrationStore } from '../../../src-main/service/measurements/store/registration-store.ts';
import { applicationsStore } from '../../../src-main/service/oauth/store/applications-store.ts';
import { deviceCodesStore } from '../../../src-main/service/oauth/store/device-codes-store.ts';
import { oauthStore } from '../../../src-main/service/oauth/store/oauth-store.ts';
import { projectsStore } from '../../../src-main/service/projects/projects-store.ts';
import { secretDigest } from '../../../src-main/service/secrets/secret-digest.ts';
import { tokensStore } from '../../../src-main/service/tokens/tokens-store.ts';
import { rounds, useTwoReplicas } from './two-replicas.ts';

const { both, execute } = useTwoReplicas();

/** Alice, in an empty database. */
async function freshAlice(): Promise<number> {
  await execute('TRUNCATE users, projects, measurements, jobs, errors RESTART IDENTITY CASCADE');
  const [users] = both(({ database }) => usersStore(database));
  const alice = { username: 'alice', name: 'Alice', email: null, passwordHash: null, isAdmin: true };
  return (await users.create(alice))?.id ?? 0;
}

async function application(ownerId: number) {
  const [applications] = both(({ database }) => applicationsStore(database));
  return applications.create({
    ownerId,
    name: 'Plotter',
    clientId: randomBytes(16).toString('hex'),
    secretHash: Buffer.alloc(32),
    redirectUris: [],
    scopes: ['read_api'],
    trusted: false,
    legacyImplicit: false,
    deviceGrant: true,
  });
}

test('a device is approved or denied, and gets one token', async () => {
  const alice = await freshAlice();
  const app = await application(alice);
  const [a, b] = both(({ database }) => deviceCodesStore(database, oauthStore(database)));
  for (let round = 0; round < rounds; round += 1) {
    const [deviceCodeHash, userCodeHash] = [randomBytes(32), randomBytes(32)];
    const expiresAt = Date.now() + 600_000;
    const code = { applicationId: app.id, deviceCodeHash, userCodeHash, scopes: ['read_api'], expiresAt };
    await a.create({ ...code, intervalSeconds: 0 });
    const id = (await a.waiting(userCodeHash, Date.now()))?.id ?? 0;
    const decided = await Promise.all([
      a.decide(id, 'approved', alice, Date.now()),
      b.decide(id, 'denied', alice, Date.now()),
    ]);
    expect(decided.filter(Boolean), `round ${round}`).toHaveLength(1);
    const polled = await Promise.all([a, b].map(async (store) => store.poll(deviceCodeHash, app, '192.0.2.1')));
    expect(polled.filter(({ ok }) => ok)).toHaveLength(decided[0] ? 1 : 0);
  }
});

test('nothing of a revoked grant is usable, also when it is refreshed meanwhile', async () => {
  const alice = await freshAlice();
  const app = await application(alice);
  const [a, b] = both(({ database }) => oauthStore(database));
  for (let round = 0; round < rounds; round += 1) {
    const request = { kind: 'password', application: app, userId: alice, scopes: ['read_api'] } as const;
    const issued = await a.issueDirectly({ ...request, refreshable: true, address: null });
    if (!issued) throw new Error('no token');
    const presented = { refreshToken: issued.token.refreshToken ?? '', application: app, scopes: null };
    const [, refreshed] = await Promise.all([
      a.revokeGrant(issued.grantId),
      b.refresh({ ...presented, address: '192.0.2.1' }),
    ]);
    const tokens = [issued.token, ...(refreshed.ok ? [refreshed.token] : [])];
    for (const { accessToken } of tokens)
      expect(await a.byAccessToken(secretDigest(accessToken), Date.now()), `round ${round}`).toBeNull();
  }
});

test('a token is revoked or rotated', async () => {
  const userId = await freshAlice();
  const [a, b] = both(({ database }) => tokensStore(database));
  for (let round = 0; round < rounds; round += 1) {
    const token = { userId, name: 'x', description: '', scopes: ['read_api'], expiresAt: null };
    const { id } = await a.create({ ...token, tokenHash: randomBytes(32) });
    const next = { tokenHash: randomBytes(32), expiresAt: Date.now() + 1000 };
    const done = await Promise.all([a.revoke(id), b.rotate(id, next)]);
    expect(done.filter(Boolean), `round ${round}`).toHaveLength(1);
  }
});

test('a job ends in one way', async () => {
  await freshAlice();
  const [a, b] = both(({ database }) => jobsStore(database));
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await a.create({ kind: 'verify', measurementId: 'run', userId: null, parameters: {} });
    await a.start(id, 'one');
    const [succeeded, cancelled] = await Promise.allSettled([
      a.end(id, { event: 'succeed', message: null, result: null }),
      b.act(id, 'cancel', 'Cancelled'),
    ]);
    const won = [succeeded, cancelled].filter((one) => one.status === 'fulfilled' && one.value);
    expect(won, `round ${round}`).toHaveLength(1);
    expect((await a.byId(id))?.state).toBe(won[0] === succeeded ? 'done' : 'cancelled');
  }
});

test('a reader has one grant', async () => {
  const alice = await freshAlice();
  const [registrations] = both(({ database }) => registrationStore(database));
  const [a, b] = both(({ database }) => grantsStore(database));
  for (let round = 0; round < rounds; round += 1) {
    const id = `run-${round}`;
    await registrations.reserve({ id, title: id, ownerId: alice, storage: 'library', root: '' });
    await Promise.all([a.grant(id, { everyone: true }, null, null), b.grant(id, { everyone: true }, 5, null)]);
    expect(await a.ofMeasurement(id), `round ${round}`).toHaveLength(1);
  }
});

test('two errors that are merged with each other at once are one, with all events', async () => {
  await freshAlice();
  const [projects] = both(({ database }) => projectsStore(database));
  const project = (await projects.create('lab', 'Lab'))?.id ?? 0;
  const [keys] = both(({ database, changes }) => clientKeysStore(database, changes));
  const keyId = (await keys.create(project, 'bpk_a')).id;
  const [events] = both((context) => eventSetsStore(context));
  const [a, b] = both(({ database }) => mergeStore(database));
  const add = async (type: string): Promise<number> => {
    const body = Buffer.from(JSON.stringify({ exception: { values: [{ type, value: 'x' }] } }));
    const event = prepareEvent(body, { receivedAt: Date.now(), eventId: null, sentAt: null, sdk: null, address: null });
    if (!event) throw new Error('not an event');
    return (await events.add({ projectId: project, keyId, event, userHash: null })).errorId ?? 0;
  };
  const audit = (id: number) => ({ userId: null, action: 'error.merge', subject: `error:${id}` });
  for (let round = 0; round < rounds / 4; round += 1) {
    const [first, second] = [await add(`First${round}`), await add(`Second${round}`)];
    const done = await Promise.all([
      a.merge(project, [first, second], audit),
      b.merge(project, [second, first], audit),
    ]);
    expect(done.filter((merged) => merged !== null).length, `round ${round}`).toBeGreaterThan(0);
    const groups = [await a.groupIds(project, first), await a.groupIds(project, second)];
    expect(groups.map((ids) => ids.length).toSorted((x, y) => x - y)).toEqual([0, 2]);
  }
});
