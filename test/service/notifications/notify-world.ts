import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type {
  Deliveries,
  NewNotificationRule,
  NotificationRuleInput,
} from '../../../src-main/service/contract/notifications/notifications.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';
import { until } from '../until.ts';
import { mailReceiver, mailServerOf, webhookReceiver, type ReceivedMessage } from './receivers.ts';
import { ruleTo } from './rule-to.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface NotifyWorld {
  readonly service: TestService;
  /** An administrator. */
  readonly alice: number;
  readonly mail: Awaited<ReturnType<typeof mailReceiver>>;
  /** By alice's token when none is given. */
  call(method: string, path: string, body?: object | null, as?: string): Promise<Answer>;
  /** A receiver of webhooks; it and all rules of alice end with the test. */
  hook(): Promise<Awaited<ReturnType<typeof webhookReceiver>>>;
  /** @param to the address of a webhook, or of mail. */
  ruleOf(to: string, changes?: Partial<NotificationRuleInput>): NotificationRuleInput;
  create(to: string, changes?: Partial<NotificationRuleInput>, as?: string): Promise<NewNotificationRule>;
  deliveriesOf(ruleId: number): Promise<Deliveries>;
  /** Waits until a delivery of the rule was given up and the rule is paused. */
  untilPaused(ruleId: number): Promise<void>;
  mailServer(changes?: object): object;
  /** A measurement of which a check has found a file altered. */
  degraded(owner?: number): Promise<string>;
  check(id: string, state: 'altered' | 'ok'): Promise<void>;
  bob(): Promise<{ readonly id: number; readonly token: string }>;
  /** A project with a DSN, and alice as its owner. */
  project(): Promise<ErrorProject>;
  end(): Promise<void>;
}

export interface ErrorProject {
  readonly id: number;
  readonly path: string;
  /** Sends an event, and resolves with the status. */
  send(value: string): Promise<number>;
}

/** What a webhook said, of one happening. */
export function dataOf(message: ReceivedMessage | undefined): Record<string, unknown> {
  return (JSON.parse(message?.body ?? '{}') as { data: Record<string, unknown> }).data;
}

export async function startNotifyWorld(): Promise<NotifyWorld> {
  const service = await startTestService({ watches: false });
  const alice = await service.user('alice', true);
  const token = await service.token(alice, ['api']);
  const mail = await mailReceiver();
  let number = 0;

  const call: NotifyWorld['call'] = async (method, path, body, as = token) => {
    const response = await fetch(`${service.url}/api/v4${path}`, {
      method,
      headers: {
        authorization: `Bearer ${as}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const ruleOf: NotifyWorld['ruleOf'] = (to, changes = {}) => {
    number += 1;
    return ruleTo(to, { name: `rule ${number}`, kinds: ['run-registered', 'degraded'], ...changes });
  };
  const check: NotifyWorld['check'] = async (id, state) => {
    const problem = state === 'ok' ? null : 'its bytes are others';
    await service.services.files.recordChecks(id, [{ index: 0, state, problem, at: Date.now() }]);
  };
  const hook = async () => {
    const receiver = await webhookReceiver();
    onTestFinished(async () => {
      for (const { id } of (await call('GET', '/user/notifications')).body as readonly { id: number }[])
        await call('DELETE', `/user/notifications/${id}`);
      await receiver.end();
    });
    return receiver;
  };
  const project = async (): Promise<ErrorProject> => {
    number += 1;
    const { projects, clientKeys } = service.services;
    const made = await projects.create(`lab-${number}`, 'Lab');
    if (!made) throw new Error('the path is taken');
    await projects.setMember(made.id, alice, 'owner');
    await call('PUT', `/projects/${made.id}/error_tracking/settings`, { active: true, integrated: true });
    const key = await clientKeys.create(made.id, `bpk_${randomBytes(16).toString('hex')}`);
    const address = `${service.url}/api/v4/error_tracking/collector/api/${made.id}/store/?sentry_key=${key.public_key}`;
    const send = async (value: string): Promise<number> => {
      const event = { event_id: randomBytes(16).toString('hex'), exception: { values: [{ type: 'Stuck', value }] } };
      return (await fetch(address, { method: 'POST', body: JSON.stringify(event) })).status;
    };
    return { id: made.id, path: made.path, send };
  };
  const deliveriesOf: NotifyWorld['deliveriesOf'] = async (id) =>
    (await call('GET', `/user/notifications/${id}/deliveries`)).body as Deliveries;
  return {
    service,
    alice,
    mail,
    call,
    hook,
    ruleOf,
    create: async (to, changes, as) => {
      const { status, body } = await call('POST', '/user/notifications', ruleOf(to, changes), as);
      expect(status, JSON.stringify(body)).toBe(201);
      return body as NewNotificationRule;
    },
    deliveriesOf,
    untilPaused: async (rule) => {
      await until(async () => (await deliveriesOf(rule))[0]?.state === 'given-up', 'it was given up');
      await until(async () => {
        const rules = (await call('GET', '/user/notifications')).body as readonly { id: number; paused: boolean }[];
        return rules.find(({ id }) => id === rule)?.paused === true;
      }, 'the rule is paused');
    },
    mailServer: (changes = {}) => ({ ...mailServerOf(mail), ...changes }),
    degraded: async (owner = alice) => {
      number += 1;
      const id = `run-${number}`;
      await addMeasurement(service, owner, id, [{ path: 'a.txt', bytes: 'a' }]);
      await check(id, 'altered');
      return id;
    },
    check,
    bob: async () => {
      const id = (await service.services.users.byUsername('bob'))?.id ?? (await service.user('bob'));
      return { id, token: await service.token(id, ['api']) };
    },
    project,
    end: async () => {
      await service.end();
      await mail.end();
    },
  };
}
