import type {
  Delivery,
  MailServer,
  MailServerInput,
  NotificationRule,
  NotificationRuleInput,
} from '../../../src-main/service/contract/notifications/notifications.ts';
import type { FakeAnswer } from './fake-answer.ts';

/** Rules at the start; the first ones are in each state there is. */
export interface FakeNotificationOptions {
  readonly rules?: number;
  readonly deliveries?: number;
  readonly mail?: boolean;
  /** Whether tests fail. */
  readonly failing?: boolean;
}

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const examples: readonly Partial<NotificationRule>[] = [
  { name: 'night', kinds: ['run-stuck', 'degraded', 'copy-lost'], quiet_from: 22, quiet_until: 7, everybody: true },
  {
    name: 'chat of bench 3',
    channel: 'webhook',
    to: 'https://chat.lab.example/hooks/7f3a91c2d4e84b0fa1c6',
    kinds: ['error-new', 'error-regressed'],
    waiting: 12,
    failure: 'chat.lab.example answered with status 503.',
  },
  { name: 'every run', kinds: ['run-registered', 'copy-verified'], digest: 'daily', waiting: 31 },
  {
    name: 'old receiver',
    channel: 'webhook',
    to: 'https://eln.lab.example/benchport',
    kinds: ['run-registered'],
    paused: true,
    failure: 'The receiver is gone (status 410).',
  },
  { name: 'errors of lab/qmr', kinds: ['error-new'], project_id: 1, digest: 'hourly', paused: true },
];

function ruleOf(id: number, change: Partial<NotificationRule>): NotificationRule {
  return {
    id,
    name: `rule ${id}`,
    kinds: ['degraded', 'copy-lost'],
    everybody: false,
    project_id: null,
    channel: 'mail',
    to: 'alice@lab.example',
    digest: 'none',
    quiet_from: null,
    quiet_until: null,
    paused: false,
    waiting: 0,
    last_sent_at: ago(id * 37),
    failure: null,
    created_at: ago(20_000 + id * 700),
    ...change,
  };
}

function someDeliveries(count: number): Delivery[] {
  return Array.from({ length: count }, (_, index): Delivery => {
    const state = index < 2 ? 'waiting' : index === 4 ? 'given-up' : 'sent';
    return {
      id: count - index,
      at: ago(3 + index * 53),
      kind: index % 3 === 0 ? 'error-new' : index % 3 === 1 ? 'degraded' : 'run-registered',
      subject: index % 3 === 0 ? `error:${900 - index}` : `measurement:qmr-2026-${114 - index}`,
      title: index % 3 === 0 ? 'TypeError: the field of the magnet is not a number' : 'Magnetic resonance',
      state,
      attempts: state === 'sent' ? 1 : state === 'waiting' ? 3 : 9,
      retry_at: state === 'waiting' ? ago(-2) : null,
      message: state === 'sent' ? null : 'chat.lab.example answered with status 503.',
    };
  });
}

const dialogue = [
  'C: EHLO bench-1',
  'S: 250-mail.lab.example Hello bench-1',
  'S: 250-STARTTLS',
  'S: 250 AUTH PLAIN LOGIN',
  'C: STARTTLS',
  'S: 220 Ready to start TLS',
  'C: AUTH PLAIN [removed]',
  'S: 235 Authentication succeeded',
  'C: MAIL FROM:<bench@lab.example>',
  'S: 250 Accepted',
  'C: RCPT TO:<alice@lab.example>',
];

/** Rules of notifications and the server for mail, in memory. */
export function fakeNotifications(options: FakeNotificationOptions) {
  let rules = Array.from({ length: options.rules ?? 0 }, (_, index) => ruleOf(index + 1, examples[index] ?? {}));
  let server: MailServer =
    options.mail === false
      ? null
      : {
          host: 'mail.lab.example',
          port: 587,
          security: 'starttls',
          username: 'bench',
          from: 'bench@lab.example',
          has_password: true,
        };
  const result = (isMail: boolean): object => {
    if (isMail && server === null) return { sent: false, message: 'No server for mail is set up.', dialogue: [] };
    const sent = options.failing !== true;
    if (!isMail) {
      const status = sent ? '204' : '503';
      return {
        sent,
        message: sent ? 'The receiver has taken the message.' : 'chat.lab.example answered with status 503.',
        dialogue: ['C: POST https://chat.lab.example/hooks/7f3a91c2d4e84b0fa1c6', `S: ${status}`],
      };
    }
    return {
      sent,
      message: sent
        ? 'mail.lab.example has taken the mail.'
        : 'mail.lab.example refused the address. It answered: 550 5.1.1 No such user here',
      dialogue: [...dialogue, sent ? 'S: 250 Accepted' : 'S: 550 5.1.1 No such user here'],
    };
  };
  const ok = (body: unknown, status = 200): FakeAnswer => ({ status, body });

  function mailServer(method: string, what: string | undefined, body: unknown): FakeAnswer {
    if (what === 'test') return ok(result(true));
    if (method === 'PUT') {
      const input = body as MailServerInput | null;
      const { password, ...rest } = input ?? { password: null };
      server = input === null ? null : { ...(rest as typeof input), has_password: password !== null };
    }
    return ok(server);
  }

  return function answer(
    method: string,
    path: readonly string[],
    query: URLSearchParams,
    body: unknown,
  ): FakeAnswer | null {
    const [first, second, third, what] = path;
    if (first === 'application' && second === 'mail_server') return mailServer(method, third, body);
    if (first !== 'user' || second !== 'notifications') return null;
    if (third === 'choices')
      return ok({ mail: server !== null, time_zone: 'Europe/Berlin', utc_offset_minutes: 60, max_rules: 50 });
    const rule = rules.find(({ id }) => String(id) === third);
    if (what === 'deliveries') {
      const before = Number(query.get('before') ?? Infinity);
      const list = someDeliveries(options.deliveries ?? 0).filter(({ id }) => id < before);
      return ok(list.slice(0, Number(query.get('limit') ?? 100)));
    }
    if (what === 'test') return ok(result(rule?.channel === 'mail'));
    if (what === 'secret') return ok({ secret: 'whsec_h8Kq2ZtXv4pL9sWc7nRb1mYd6gJf3aQe5uTo0iBxVyE=' });
    if (method === 'GET') return ok(rules);
    if (method === 'DELETE') {
      rules = rules.filter((one) => one !== rule);
      return ok(undefined, 204);
    }
    const input = body as NotificationRuleInput;
    const next = { ...(rule ?? ruleOf(rules.length + 1, { last_sent_at: null, created_at: ago(0) })), ...input };
    rules = rule === undefined ? [...rules, next] : rules.map((one) => (one === rule ? next : one));
    if (rule !== undefined) return ok(next);
    const secret = input.channel === 'webhook' ? 'whsec_h8Kq2ZtXv4pL9sWc7nRb1mYd6gJf3aQe5uTo0iBxVyE=' : null;
    return ok({ ...next, secret }, 201);
  };
}
