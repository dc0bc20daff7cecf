import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  NewNotificationRule,
  NotificationRule,
} from '../../../src-main/service/contract/notifications/notifications.ts';
import { until } from '../until.ts';
import { dataOf, startNotifyWorld, type NotifyWorld } from './notify-world.ts';

let world: NotifyWorld;
beforeAll(async () => {
  world = await startNotifyWorld();
  await world.call('PUT', '/application/mail_server', world.mailServer());
});
afterAll(async () => world.end());

const kinds = ['error-new'] as const;

test('a rule of a project outlives who made it, and ends with the project', async () => {
  const hook = await world.hook();
  const { id: bob, token } = await world.bob();
  const project = await world.project();
  // An administrator allows the host of the receiver.
  await world.create(hook.url, { paused: true });
  await world.service.services.projects.setMember(project.id, bob, 'maintainer');
  const path = `/projects/${project.id}/notifications`;
  const made = await world.call('POST', path, world.ruleOf(hook.url, { kinds: [...kinds] }), token);
  expect(made).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
  const { id } = made.body as NewNotificationRule;
  await world.service.services.members.remove(project.id, bob);
  await project.send('the pump stopped');
  await until(() => hook.received.length === 1, 'it was told');
  expect(dataOf(hook.received[0])).toMatchObject({ kind: 'error-new', project_id: project.id });
  expect((await world.call('GET', path, undefined, token)).status).toBe(404);
  const listed = (await world.call('GET', path)).body as readonly NotificationRule[];
  expect(listed).toMatchObject([{ id, kinds: ['error-new'], waiting: 0 }]);
  const deliveries = await world.call('GET', `${path}/${id}/deliveries`);
  expect(deliveries.body).toMatchObject([{ state: 'sent' }]);
  expect((await world.call('DELETE', `/projects/${project.id}`)).status).toBeLessThan(300);
  expect(await world.service.services.notificationRules.byId(id)).toBe(null);
});

test('a rule of a project is not told of other projects, and is its own', async () => {
  const hook = await world.hook();
  const [one, other] = [await world.project(), await world.project()];
  const rule = { ...world.ruleOf(hook.url, { kinds: [...kinds] }), name: 'errors' };
  const path = `/projects/${one.id}/notifications`;
  const { id } = (await world.call('POST', path, rule)).body as NewNotificationRule;
  expect((await world.call('POST', path, { ...rule, name: 'Errors' })).status).toBe(409);
  expect((await world.call('POST', `/projects/${other.id}/notifications`, { ...rule, paused: true })).status).toBe(201);
  for (const elsewhere of [`/projects/${other.id}/notifications/${id}`, `/user/notifications/${id}`])
    expect((await world.call('PUT', elsewhere, rule)).status, elsewhere).toBe(404);
  await other.send('of the other project');
  await one.send('of this project');
  await until(() => hook.received.length > 0, 'it was told');
  expect(hook.received.map((message) => dataOf(message)['project_id'])).toEqual([one.id]);
  const next = await world.call('PUT', `${path}/${id}`, { ...rule, name: 'all errors' });
  expect(next).toMatchObject({ status: 200, body: { name: 'all errors' } });
  expect((await world.call('POST', `${path}/${id}/secret`)).status).toBe(200);
  expect((await world.call('POST', `${path}/${id}/test`)).body).toMatchObject({ sent: true });
  expect((await world.call('DELETE', `${path}/${id}`)).status).toBe(204);
});

test('mail of a project goes to its members, while they are members', async () => {
  await world.hook();
  const { id: bob } = await world.bob();
  const { users, projects, members } = world.service.services;
  await users.setProfile(bob, 'bob', 'Bob@lab.example');
  const project = await world.project();
  const path = `/projects/${project.id}/notifications`;
  const rule = world.ruleOf('bob@lab.example', { kinds: [...kinds] });
  const stranger = await world.call('POST', path, rule);
  expect(stranger).toMatchObject({ status: 422, body: { detail: expect.stringContaining('members') } });
  await projects.setMember(project.id, bob, 'reporter');
  const { id } = (await world.call('POST', path, rule)).body as NewNotificationRule;
  await project.send('the laser is off');
  await until(() => world.mail.mails.some(({ text }) => text.includes('the laser is off')), 'a mail came');
  await members.remove(project.id, bob);
  await project.send('the laser is on fire');
  await until(async () => {
    const [listed] = (await world.call('GET', path)).body as readonly NotificationRule[];
    return listed?.id === id && listed.paused;
  }, 'the rule is paused');
  expect(world.mail.mails.some(({ text }) => text.includes('on fire'))).toBe(false);
});

test('a rule of a project tells of measurements that its members may read, once each, and the bell does not repeat it', async () => {
  const hook = await world.hook();
  const { id: bob } = await world.bob();
  const [project, other] = [await world.project(), await world.project()];
  await world.service.services.projects.setMember(project.id, bob, 'reporter');
  const rule = world.ruleOf(hook.url, { kinds: ['run-registered', 'degraded'] });
  expect((await world.call('POST', `/projects/${project.id}/notifications`, rule)).status).toBe(201);
  const { registrations, grants, happenings } = world.service.services;
  const register = async (id: string, projectId: number | null): Promise<void> => {
    await registrations.reserve({ id, title: `Run ${id}`, ownerId: bob, storage: 'library', root: '/' });
    const archive = { bytes: 22, directoryOffset: 0, tag: '', version: 1 };
    await registrations.total(id, { files: 0, bytes: 0 }, archive);
    if (projectId !== null) await grants.grant(id, { projectId }, null, null);
    await registrations.makeAvailable(id, Date.now());
  };
  await register('of-another', other.id);
  await register('before', project.id);
  await register('after', null);
  await grants.grant('after', { projectId: project.id }, null, null);
  await grants.grant('after', { projectId: project.id }, Date.now() + 60_000, null);
  const degraded = await world.degraded(bob);
  const bell = async () => happenings.list({ userId: bob, isAdmin: false }, 0, Number.MAX_SAFE_INTEGER, 50);
  // Who is told is decided when it is distributed.
  await until(async () => (await bell()).some(({ kind }) => kind === 'degraded'), 'what was before is distributed');
  await grants.grant(degraded, { projectId: project.id }, null, null);
  await world.check(degraded, 'ok');
  await world.check(degraded, 'altered');
  await until(() => hook.received.length >= 4, 'all were told');
  const told = hook.received.map(
    (message) => `${String(dataOf(message)['kind'])} ${String(dataOf(message)['measurement_id'])}`,
  );
  expect(told).toEqual([
    'run-registered before',
    'run-registered after',
    `run-registered ${degraded}`,
    `degraded ${degraded}`,
  ]);
  const registered = (await bell()).filter(({ kind }) => kind === 'run-registered').map(({ subject }) => subject);
  expect(registered.filter((subject) => subject !== `measurement:${degraded}`).toSorted()).toEqual(
    ['after', 'before', 'of-another'].map((id) => `measurement:${id}`),
  );
});

test.each([
  ['a disk', { kinds: ['disk-low'] }],
  ['what everybody does', { everybody: true }],
  ['another project', { project_id: 4711 }],
] as const)('a rule of a project cannot tell of %s', async (_what, changes) => {
  const project = await world.project();
  const rule = { ...world.ruleOf('https://lab.example/hook', { kinds: [...kinds] }), ...changes };
  expect(await world.call('POST', `/projects/${project.id}/notifications`, rule)).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('The rule of a project') },
  });
});

test.each([
  ['developer', 403],
  ['maintainer', 200],
  ['owner', 200],
] as const)('a %s gets %i for the rules of the project', async (role, status) => {
  const { id: bob, token } = await world.bob();
  const project = await world.project();
  await world.service.services.projects.setMember(project.id, bob, role);
  expect((await world.call('GET', `/projects/${project.id}/notifications`, undefined, token)).status).toBe(status);
});
