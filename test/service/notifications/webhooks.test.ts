import { expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { tell } from '../../../src-main/service/notifications/store/outbox.ts';
import { until } from '../until.ts';
import { useWorld } from '../use-service.ts';
import { startNotifyWorld } from './notify-world.ts';

const world = useWorld(startNotifyWorld);

test('a webhook is signed as Standard Webhooks says, and its secret is shown once', async () => {
  const hook = await world.hook();
  const rule = await world.create(hook.url);
  const id = await world.degraded();
  await until(() => hook.received.length === 1, 'a message came');
  const [message] = hook.received;
  const content = new Webhook(rule.secret ?? '').verify(
    message?.body ?? '',
    message?.headers as Record<string, string>,
  ) as object;
  expect(content).toMatchObject({
    type: 'degraded',
    data: { measurement_id: id, link: `${world.service.url}/ui/measurements/${id}` },
  });
  expect(JSON.stringify((await world.call('GET', '/user/notifications')).body)).not.toContain('whsec_');
  expect((await world.deliveriesOf(rule.id))[0]).toMatchObject({ state: 'sent', attempts: 1, kind: 'degraded' });
});

test('a webhook has a second secret for a day after a rotation', async () => {
  const hook = await world.hook();
  const rule = await world.create(hook.url);
  const { body } = await world.call('POST', `/user/notifications/${rule.id}/secret`);
  await world.degraded();
  await until(() => hook.received.length === 1, 'a message came');
  const [message] = hook.received;
  for (const secret of [rule.secret ?? '', (body as { secret: string }).secret])
    new Webhook(secret).verify(message?.body ?? '', message?.headers as Record<string, string>);
  expect(() =>
    new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA').verify(
      message?.body ?? '',
      message?.headers as Record<string, string>,
    ),
  ).toThrow();
});

test('a webhook that fails is retried with the same id, and a redirect is a failure', async () => {
  const hook = await world.hook();
  const ids: unknown[] = [];
  hook.answer = ({ headers }) => {
    ids.push(headers['webhook-id']);
    return ids.length === 1 ? 307 : ids.length === 2 ? 503 : 200;
  };
  const rule = await world.create(hook.url);
  await world.degraded();
  await until(async () => (await world.deliveriesOf(rule.id))[0]?.attempts === 1, 'it was tried');
  const [failed] = await world.deliveriesOf(rule.id);
  expect(failed).toMatchObject({ state: 'waiting' });
  expect(failed?.retry_at).not.toBe(null);
  expect(failed?.message).not.toBe(null);
  await until(() => ids.length >= 2, 'it was tried again');
  expect(new Set(ids).size).toBe(1);
});

test('a webhook whose receiver is gone is not asked again', async () => {
  const hook = await world.hook();
  hook.answer = () => 410;
  const rule = await world.create(hook.url);
  await world.degraded();
  await world.untilPaused(rule.id);
});

test('a webhook tells of a flood in one message', async () => {
  const hook = await world.hook();
  await world.create(hook.url, { kinds: ['degraded', 'error-new'], everybody: true });
  await world.service.services.database.transaction(function* () {
    for (let at = 0; at < 10_000; at += 1)
      yield* tell({ kind: 'degraded', subject: `x:${at}`, measurement_id: `m-${at}`, project_id: null, title: 'x' });
  });
  await until(() => hook.received.length > 0, 'a message came');
  await world.degraded();
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(hook.received).toHaveLength(1);
  const { type, data } = JSON.parse(hook.received[0]?.body ?? '') as { type: string; data: { first: unknown[] } };
  expect(type).toBe('summary');
  expect(data).toMatchObject({ count: 10_000 });
  expect(data.first).toHaveLength(20);
});

test('a webhook keeps the order of a subject, and others do not wait for it', async () => {
  const hook = await world.hook();
  const order: string[] = [];
  const [slow, fast] = [await world.degraded(), await world.degraded()];
  for (const id of [slow, fast]) await world.check(id, 'ok');
  let isRefusing = true;
  hook.answer = ({ body }) => {
    const { data } = JSON.parse(body) as { data: { measurement_id: string } };
    if (isRefusing && data.measurement_id === slow) return 500;
    order.push(data.measurement_id);
    return 200;
  };
  await world.create(hook.url);
  await world.check(slow, 'altered');
  await until(() => order.length === 0 && isRefusing, 'it was refused');
  await world.check(slow, 'ok');
  await world.check(slow, 'altered');
  await world.check(fast, 'altered');
  await until(() => order.includes(fast), 'the other one came');
  expect(order).not.toContain(slow);
  isRefusing = false;
  await until(() => order.filter((id) => id === slow).length === 2, 'both came');
});
