import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  Deliveries,
  NewNotificationRule,
  NotificationChoices,
  NotificationRule,
  NotificationTest,
} from '../../../src-main/service/contract/notifications/notifications.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';
import { until } from '../until.ts';
import { webhookReceiver } from './receivers.ts';
import { ruleTo } from './rule-to.ts';

let service: TestService;
let hook: Awaited<ReturnType<typeof webhookReceiver>>;
let alice: number;
let tokens: { readonly alice: string; readonly bob: string };

beforeAll(async () => {
  service = await startTestService();
  hook = await webhookReceiver();
  alice = await service.user('alice', true);
  const bob = await service.user('bob');
  tokens = { alice: await service.token(alice, ['api']), bob: await service.token(bob, ['read_api']) };
});
afterAll(async () => {
  await service.end();
  await hook.end();
});

async function call(method: string, path: string, body?: object | null, as = tokens.alice) {
  const response = await fetch(`${service.url}/api/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

async function create(name: string, paused = false): Promise<NewNotificationRule> {
  const rule = ruleTo(hook.url, { name, paused });
  const { status, body } = await call('POST', '/user/notifications', rule);
  expect(status, JSON.stringify(body)).toBe(201);
  return body as NewNotificationRule;
}

describe('the lists of rules and deliveries', () => {
  test('come in parts, newest first, and count what waits', async () => {
    hook.answer = () => 500;
    const rule = await create('night');
    await create('without anything', true);
    for (const id of ['run-1', 'run-2', 'run-3', 'run-4', 'run-5']) {
      await addMeasurement(service, alice, id, [{ path: 'a.txt', bytes: 'a' }]);
      await service.services.files.recordChecks(id, [
        { index: 0, state: 'altered', problem: 'its bytes are others', at: Date.now() },
      ]);
    }
    const path = `/user/notifications/${rule.id}/deliveries`;
    const read = async (query: string): Promise<Deliveries> =>
      (await call('GET', `${path}${query}`)).body as Deliveries;
    await until(async () => (await read('')).length === 5, 'all are distributed');

    const first = await read('?limit=2');
    const second = await read(`?limit=2&before=${first.at(-1)?.id ?? 0}`);
    const third = await read(`?limit=2&before=${second.at(-1)?.id ?? 0}`);
    expect([...first, ...second, ...third].map(({ subject }) => subject)).toEqual(
      [5, 4, 3, 2, 1].map((number) => `measurement:run-${number}`),
    );
    expect(third).toHaveLength(1);
    const rules = (await call('GET', '/user/notifications')).body as readonly NotificationRule[];
    expect(rules.map(({ name, waiting }) => [name, waiting])).toEqual([
      ['night', 5],
      ['without anything', 0],
    ]);
  });

  test('refuse a part that cannot be', async () => {
    const rule = await create('parts');
    for (const query of ['limit=0', 'limit=101', 'before=0', 'before=x', 'after=1'])
      expect((await call('GET', `/user/notifications/${rule.id}/deliveries?${query}`)).status, query).toBe(400);
  });
});

describe('what a rule is made by', () => {
  test('tells everybody whether there is a server for mail, and nothing else of it', async () => {
    const before = await call('GET', '/user/notifications/choices', undefined, tokens.bob);
    expect(before).toMatchObject({ status: 200, body: { mail: false, max_rules: 50 } });
    const choices = before.body as NotificationChoices;
    expect(choices.time_zone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(choices.utc_offset_minutes).toBe(0 - new Date().getTimezoneOffset());
    await call('PUT', '/application/mail_server', {
      host: 'mail.lab.example',
      port: 587,
      security: 'starttls',
      username: null,
      from: 'bench@lab.example',
    });
    const after = await call('GET', '/user/notifications/choices', undefined, tokens.bob);
    expect(after.body).toEqual({ ...choices, mail: true });
    expect((await call('GET', '/application/mail_server', undefined, tokens.bob)).status).toBe(403);
    expect(await call('PUT', '/application/mail_server', null)).toEqual({ status: 200, body: null });
    const removed = await call('GET', '/user/notifications/choices', undefined, tokens.bob);
    expect(removed.body).toEqual(choices);
  });
});

describe('a test of a webhook', () => {
  test('shows what was sent and the status of the answer, without the secret', async () => {
    const rule = await create('tested');
    for (const [status, isSent] of [
      [204, true],
      [503, false],
    ] as const) {
      hook.answer = () => status;
      const { body } = await call('POST', `/user/notifications/${rule.id}/test`, {});
      const result = body as NotificationTest;
      expect(result.sent).toBe(isSent);
      expect(result.dialogue[0]).toBe(`C: POST ${hook.url}`);
      expect(result.dialogue.at(-1)).toBe(`S: ${status}`);
      expect(result.dialogue.join('\n')).toContain('C: webhook-signature: v1,');
      expect(result.dialogue.join('\n')).not.toContain(rule.secret ?? 'whsec_');
    }
  });
});
