import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  Deliveries,
  NewNotificationRule,
  NotificationRuleInput,
  NotificationTest,
} from '../../../src-main/service/contract/notifications/notifications.ts';
import { tell } from '../../../src-main/service/notifications/store/outbox.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';
import { until } from '../until.ts';
import { mailReceiver, webhookReceiver } from './receivers.ts';

let service: TestService;
let alice: number;
let token: string;
let hook: Awaited<ReturnType<typeof webhookReceiver>>;
let mail: Awaited<ReturnType<typeof mailReceiver>>;
let number = 0;

beforeAll(async () => {
  service = await startTestService();
  alice = await service.user('alice', true);
  token = await service.token(alice, ['api']);
  mail = await mailReceiver();
});
afterAll(async () => {
  await service.end();
  await mail.end();
});
beforeEach(async () => {
  hook = await webhookReceiver();
  await call('PUT', '/application/mail_server', mailServer());
});
afterEach(async () => {
  for (const { id } of (await call('GET', '/user/notifications')).body as readonly { id: number }[])
    await call('DELETE', `/user/notifications/${id}`);
  await hook.end();
});

const mailServer = (changes: object = {}) => ({
  host: '127.0.0.1',
  port: mail.port,
  security: 'none',
  username: 'bench',
  from: 'bench@lab.example',
  password: 'seven lamps',
  ...changes,
});

function ruleOf(changes: Partial<NotificationRuleInput> = {}): NotificationRuleInput {
  number += 1;
  return {
    name: `rule ${number}`,
    kinds: ['run-registered', 'degraded'],
    everybody: false,
    project_id: null,
    channel: 'webhook',
    to: hook.url,
    digest: 'none',
    quiet_from: null,
    quiet_until: null,
    paused: false,
    ...changes,
  };
}

async function call(
  method: string,
  path: string,
  body?: object | null,
  as = token,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${service.url}/api/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

async function create(changes: Partial<NotificationRuleInput> = {}): Promise<NewNotificationRule> {
  const { status, body } = await call('POST', '/user/notifications', ruleOf(changes));
  expect(status, JSON.stringify(body)).toBe(201);
  return body as NewNotificationRule;
}

/** A measurement of which a check has found a file altered. */
async function degraded(owner = alice): Promise<string> {
  number += 1;
  const id = `run-${number}`;
  await addMeasurement(service, owner, id, [{ path: 'a.txt', bytes: 'a' }]);
  await check(id, 'altered');
  return id;
}

async function check(id: string, state: 'altered' | 'ok'): Promise<void> {
  const problem = state === 'ok' ? null : 'its bytes are others';
  await service.services.files.recordChecks(id, [{ index: 0, state, problem, at: Date.now() }]);
}

const deliveriesOf = async (id: number): Promise<Deliveries> =>
  (await call('GET', `/user/notifications/${id}/deliveries`)).body as Deliveries;

describe('a webhook', () => {
  test('is signed as Standard Webhooks says, and its secret is shown once', async () => {
    const rule = await create();
    const id = await degraded();
    await until(() => hook.received.length === 1, 'a message came');
    const [message] = hook.received;
    const content = new Webhook(rule.secret ?? '').verify(
      message?.body ?? '',
      message?.headers as Record<string, string>,
    ) as object;
    expect(content).toMatchObject({
      type: 'degraded',
      data: { measurement_id: id, link: `${service.url}/ui/measurements/${id}` },
    });
    expect(JSON.stringify((await call('GET', '/user/notifications')).body)).not.toContain('whsec_');
    expect((await deliveriesOf(rule.id))[0]).toMatchObject({ state: 'sent', attempts: 1, kind: 'degraded' });
  });

  test('has a second secret for a day after a rotation', async () => {
    const rule = await create();
    const { body } = await call('POST', `/user/notifications/${rule.id}/secret`);
    await degraded();
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

  test('that fails is retried with the same id, and a redirect is a failure', async () => {
    const ids: unknown[] = [];
    hook.answer = ({ headers }) => {
      ids.push(headers['webhook-id']);
      return ids.length === 1 ? 307 : ids.length === 2 ? 503 : 200;
    };
    const rule = await create();
    await degraded();
    await until(async () => (await deliveriesOf(rule.id))[0]?.attempts === 1, 'it was tried');
    const [failed] = await deliveriesOf(rule.id);
    expect(failed).toMatchObject({ state: 'waiting' });
    expect(failed?.retry_at).not.toBe(null);
    expect(failed?.message).not.toBe(null);
    await until(() => ids.length >= 2, 'it was tried again');
    expect(new Set(ids).size).toBe(1);
  });

  test('whose receiver is gone is not asked again', async () => {
    hook.answer = () => 410;
    const rule = await create();
    await degraded();
    await until(async () => (await deliveriesOf(rule.id))[0]?.state === 'given-up', 'it was given up');
    await until(async () => {
      const rules = (await call('GET', '/user/notifications')).body as readonly { id: number; paused: boolean }[];
      return rules.find(({ id }) => id === rule.id)?.paused === true;
    }, 'the rule is paused');
  });

  test('tells of a flood in one message', async () => {
    await create({ kinds: ['degraded', 'error-new'], everybody: true });
    await service.services.database.transaction(function* () {
      for (let at = 0; at < 10_000; at += 1)
        yield* tell({ kind: 'degraded', subject: `x:${at}`, measurement_id: `m-${at}`, project_id: null, title: 'x' });
    });
    await until(() => hook.received.length > 0, 'a message came');
    await degraded();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(hook.received).toHaveLength(1);
    const { type, data } = JSON.parse(hook.received[0]?.body ?? '') as { type: string; data: { first: unknown[] } };
    expect(type).toBe('summary');
    expect(data).toMatchObject({ count: 10_000 });
    expect(data.first).toHaveLength(20);
  });

  test('keeps the order of a subject, and others do not wait for it', async () => {
    const order: string[] = [];
    const [slow, fast] = [await degraded(), await degraded()];
    for (const id of [slow, fast]) await check(id, 'ok');
    let isRefusing = true;
    hook.answer = ({ body }) => {
      const { data } = JSON.parse(body) as { data: { measurement_id: string } };
      if (isRefusing && data.measurement_id === slow) return 500;
      order.push(data.measurement_id);
      return 200;
    };
    await create();
    await check(slow, 'altered');
    await until(() => order.length === 0 && isRefusing, 'it was refused');
    await check(slow, 'ok');
    await check(slow, 'altered');
    await check(fast, 'altered');
    await until(() => order.includes(fast), 'the other one came');
    expect(order).not.toContain(slow);
    isRefusing = false;
    await until(() => order.filter((id) => id === slow).length === 2, 'both came');
  });
});

describe('who is told', () => {
  test('a user hears of own measurements, an administrator of all that he asks for', async () => {
    const bob = (await service.services.users.byUsername('bob'))?.id ?? (await service.user('bob'));
    const bobs = await service.token(bob, ['api']);
    const refused = await call('POST', '/user/notifications', ruleOf({ everybody: true }), bobs);
    expect(refused.status).toBe(422);
    // Whoever is no administrator cannot have this machine ask others of its network.
    const inside = await call('POST', '/user/notifications', ruleOf({ to: 'http://10.1.2.3/' }), bobs);
    expect(inside).toMatchObject({ status: 422, body: { detail: expect.stringContaining('private network') } });
    await create({ to: hook.url, paused: true });
    const stranger = await call('POST', '/user/notifications', ruleOf({ channel: 'mail', to: 'x@y.example' }), bobs);
    expect(stranger).toMatchObject({ status: 422, body: { detail: expect.stringContaining('your account') } });
    await call('POST', '/user/notifications', ruleOf({ to: `${hook.url}&bob` }), bobs);
    await create({ everybody: true, to: `${hook.url}&all` });
    await create({ to: `${hook.url}&own` });
    const id = await degraded(bob);
    await until(() => hook.received.length >= 2, 'both were told');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(hook.received).toHaveLength(2);
    for (const { body } of hook.received) expect(JSON.parse(body)).toMatchObject({ data: { measurement_id: id } });
    for (const { id: rule } of (await call('GET', '/user/notifications', undefined, bobs)).body as { id: number }[])
      await call('DELETE', `/user/notifications/${rule}`, undefined, bobs);
  });

  test('a new error is told to members of its project, and again when it comes back', async () => {
    const project = await service.services.projects.create(`lab-${number}`, 'Lab');
    const projectId = project?.id ?? 0;
    await service.services.projects.setMember(projectId, alice, 'owner');
    await call('PUT', `/projects/${projectId}/error_tracking/settings`, { active: true, integrated: true });
    await create({ kinds: ['error-new', 'error-regressed'], project_id: projectId });
    const key = await service.services.clientKeys.create(projectId, `bpk_${randomBytes(16).toString('hex')}`);
    const send = async (value: string): Promise<number> => {
      const event = { event_id: randomBytes(16).toString('hex'), exception: { values: [{ type: 'Stuck', value }] } };
      const address = `${service.url}/api/v4/error_tracking/collector/api/${projectId}/store/?sentry_key=${key.public_key}`;
      const response = await fetch(address, { method: 'POST', body: JSON.stringify(event) });
      return response.status;
    };
    expect(await send('the stage is stuck')).toBe(200);
    await send('the stage is stuck');
    await until(() => hook.received.length === 1, 'it was told');
    expect(JSON.parse(hook.received[0]?.body ?? '')).toMatchObject({
      type: 'error-new',
      data: { project_id: projectId, title: 'Stuck: the stage is stuck' },
    });
  });
});

describe('mail', () => {
  test('is sent with the login, and tells what and where', async () => {
    await create({ channel: 'mail', to: 'alice@lab.example' });
    const id = await degraded();
    await until(() => mail.mails.some(({ text }) => text.includes(id)), 'a mail came');
    const found = mail.mails.find(({ text }) => text.includes(id));
    expect(found).toMatchObject({ to: ['alice@lab.example'], user: 'bench' });
    expect(found?.text).toContain(`Subject: Degraded: ${id}`);
    expect(found?.text).toContain('Auto-Submitted: auto-generated');
  });

  test('of a test shows the dialogue, without the password', async () => {
    const rule = await create({ channel: 'mail', to: 'alice@lab.example' });
    const { body } = await call('POST', `/user/notifications/${rule.id}/test`);
    const result = body as NotificationTest;
    expect(result).toMatchObject({ sent: true });
    const dialogue = result.dialogue.join('\n');
    expect(dialogue).toMatch(/C: EHLO/);
    expect(dialogue).toMatch(/S: 250/);
    expect(dialogue).not.toContain('seven lamps');
    expect(dialogue).not.toContain(Buffer.from('seven lamps').toString('base64'));
    expect(dialogue).not.toContain(Buffer.from('\0bench\0seven lamps').toString('base64'));
  });

  test.each([
    ['a wrong password', { password: 'six lamps' }, /refused the user name or the password/],
    ['a server that is not there', { port: 1 }, /cannot be reached/],
    ['encryption that is not offered', { security: 'starttls' }, /no encryption/],
  ])('with %s says so', async (_what, changes, message) => {
    await call('PUT', '/application/mail_server', mailServer(changes));
    const { body } = await call('POST', '/application/mail_server/test', { to: 'alice@lab.example' });
    expect(body).toMatchObject({ sent: false, message: expect.stringMatching(message) });
  });

  test('to an address that the server refuses pauses the rule', async () => {
    const rule = await create({ channel: 'mail', to: 'nobody@lab.example' });
    await degraded();
    await until(async () => (await deliveriesOf(rule.id))[0]?.state === 'given-up', 'it was given up');
    await until(async () => {
      const rules = (await call('GET', '/user/notifications')).body as readonly { id: number; paused: boolean }[];
      return rules.find(({ id }) => id === rule.id)?.paused === true;
    }, 'the rule is paused');
  });

  test('keeps its password for the same server alone, and never shows it', async () => {
    const { password: _, ...rest } = mailServer();
    expect((await call('PUT', '/application/mail_server', rest)).body).toMatchObject({ has_password: true });
    const other = await call('PUT', '/application/mail_server', { ...rest, host: 'localhost' });
    expect(other.body).toMatchObject({ has_password: false });
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
  expect((await call('POST', '/user/notifications', ruleOf(changes))).status).toBe(422);
});
