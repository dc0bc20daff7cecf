import { expect, test } from 'vitest';
import { until } from '../until.ts';
import { useWorld } from '../use-service.ts';
import { dataOf, startNotifyWorld } from './notify-world.ts';

const world = useWorld(startNotifyWorld);

test('a user hears of own measurements, an administrator of all that he asks for', async () => {
  const hook = await world.hook();
  const bob = await world.bob();
  const asBob = async (to: string, changes: object = {}) =>
    world.call('POST', '/user/notifications', world.ruleOf(to, changes), bob.token);
  expect((await asBob(hook.url, { everybody: true })).status).toBe(422);
  // Whoever is no administrator cannot have this machine ask others of its network.
  const inside = await asBob('http://10.1.2.3/');
  expect(inside).toMatchObject({ status: 422, body: { detail: expect.stringContaining('private network') } });
  await world.create(hook.url, { paused: true });
  const stranger = await asBob('x@y.example');
  expect(stranger).toMatchObject({ status: 422, body: { detail: expect.stringContaining('your account') } });
  await asBob(`${hook.url}&bob`);
  await world.create(`${hook.url}&all`, { everybody: true });
  await world.create(`${hook.url}&own`);
  const id = await world.degraded(bob.id);
  await until(() => hook.received.length >= 2, 'both were told');
  const own = await world.degraded();
  await until(() => hook.received.length >= 4, 'a later one was told');
  const told = hook.received.map((message) => String(dataOf(message)['measurement_id']));
  expect(told.slice(0, 2)).toEqual([id, id]);
  expect(told.slice(2)).toEqual([own, own]);
  for (const { id: rule } of (await world.call('GET', '/user/notifications', undefined, bob.token)).body as {
    id: number;
  }[])
    await world.call('DELETE', `/user/notifications/${rule}`, undefined, bob.token);
});

test('a rule does not tell of what was before it', async () => {
  const hook = await world.hook();
  await world.degraded();
  await world.create(hook.url);
  const id = await world.degraded();
  await until(() => hook.received.length > 0, 'the later one was told');
  expect(hook.received.map((message) => dataOf(message)['measurement_id'])).toEqual([id]);
});

test('a new error is told to members of its project', async () => {
  const hook = await world.hook();
  const project = await world.project();
  await world.create(hook.url, { kinds: ['error-new', 'error-regressed'], project_id: project.id });
  expect(await project.send('the stage is stuck')).toBe(200);
  await project.send('the stage is stuck');
  await until(() => hook.received.length === 1, 'it was told');
  expect(JSON.parse(hook.received[0]?.body ?? '')).toMatchObject({
    type: 'error-new',
    data: { project_id: project.id, title: 'Stuck: the stage is stuck' },
  });
});

test.each([
  ['an address of mail that is none', { channel: 'mail', to: 'alice' }],
  ['an address with a line break', { channel: 'mail', to: 'alice@lab.example\r\nBcc: bob@lab.example' }],
  ['a webhook that is no URL', { to: 'lab.example' }],
  ['a webhook with a password', { to: 'https://a:b@lab.example/' }],
  ['a webhook to the metadata service', { to: 'http://169.254.169.254/latest' }],
  ['one end of the quiet hours', { quiet_from: 3 }],
  ['a project that is not there', { project_id: 4711 }],
] as const)('%s is refused', async (_what, changes) => {
  expect(
    (await world.call('POST', '/user/notifications', world.ruleOf('https://lab.example/hook', changes))).status,
  ).toBe(422);
});
