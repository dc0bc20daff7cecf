import type { Logger } from 'pino';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { Events } from '../../common/events.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { OutgoingDeps } from '../../outgoing/outgoing-hosts.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { readMailServer } from '../settings/mail-server.ts';
import { secretsOf } from '../settings/rule-secrets.ts';
import type { DeliveryRow, Distribution, OutboxRow } from '../store/deliveries-store.ts';
import type { NotificationRuleRow } from '../store/notification-rules-store.ts';
import type { NotificationStores } from '../store/stores.ts';
import { isMailOfMember } from './mail-of-member.ts';
import { mailOf, webhookBody } from './message.ts';
import { sendMail } from './send-mail.ts';
import { sendWebhook } from './send-webhook.ts';
import { webhookHeaders } from './webhook-signature.ts';
import { isTime, retryAt } from './when.ts';
import { audienceOf, isTold, type Listener } from './who-is-told.ts';

export type SenderDeps = NotificationStores &
  Pick<AccountStores, 'users'> &
  Pick<ProjectStores, 'projects'> &
  OutgoingDeps & {
    readonly settings: SettingsStore;
    readonly secrets: SecretBox;
    readonly events: Events;
    readonly log: Logger;
    readonly baseUrl: () => string;
    /** Milliseconds since 1970. */
    readonly now: () => number;
  };

interface Outcome {
  readonly failure: string | null;
  /** The rule sends nothing more until somebody changes it. */
  readonly isFinal: boolean;
  /** Nothing answers, so that the rule rests. */
  readonly isUnreachable: boolean;
}

const distributedPerStep = 500;
const maxAtOnce = 8;
const maxRows = 20_000;
/** More than these are told in one message. */
const maxSeparate = 20;
/** After a message about many, the next of the rule waits, so that a flood is a message or two. */
const afterManyMs = 60_000;
/** A receiver that fails is not asked about other subjects before. */
const maxRestMs = 60_000;

/** Sends what the outbox tells, by the rules; one process does so for all. */
export class NotificationSender {
  readonly #deps: SenderDeps;
  /** Until when rules rest, in milliseconds since 1970. */
  readonly #resting = new Map<number, number>();
  readonly #sending = new Map<number, Promise<void>>();

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Distributes what has happened, and begins to send what is due. */
  async pass(): Promise<void> {
    await this.#distribute();
    const { deliveries, notificationRules, log } = this.#deps;
    for (const id of await deliveries.waitingRules()) {
      if (this.#sending.size >= maxAtOnce) return;
      if (this.#sending.has(id) || (this.#resting.get(id) ?? 0) > this.#deps.now()) continue;
      const rule = await notificationRules.byId(id);
      if (!rule || rule.settings.paused) continue;
      const sending = this.#sendRule(rule)
        .catch((error: unknown) => {
          log.error({ err: error, rule: id }, 'notifications of a rule were not sent');
          this.#rest(id, maxRestMs);
        })
        .finally(() => this.#sending.delete(id));
      this.#sending.set(id, sending);
    }
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending.values());
  }

  async #distribute(): Promise<void> {
    const { deliveries, events } = this.#deps;
    if (!(await deliveries.hasHappenings())) return;
    const listeners = await this.#listeners();
    const now = this.#deps.now();
    const judge = (happening: OutboxRow): Distribution => ({
      audience: audienceOf(happening),
      rules: listeners.filter((listener) => isTold(listener, happening, now)).map(({ rule }) => rule.id),
    });
    while ((await deliveries.distribute(distributedPerStep, now, judge)) === distributedPerStep);
    events.emit('changed', { topic: 'happenings' });
  }

  async #listeners(): Promise<readonly Listener[]> {
    const { notificationRules, users, projects } = this.#deps;
    const listeners: Listener[] = [];
    const known = new Map<number, Omit<Listener, 'rule'>>();
    for (const rule of await notificationRules.all()) {
      if (rule.user_id === null) {
        listeners.push({ rule, user: null, projects: new Set() });
        continue;
      }
      let who = known.get(rule.user_id);
      if (!who) {
        const user = await users.byId(rule.user_id);
        if (!user) continue;
        const memberships = await projects.ofMember(user.id);
        who = { user, projects: new Set(memberships.map(({ id }) => id)) };
        known.set(user.id, who);
      }
      listeners.push({ rule, ...who });
    }
    return listeners;
  }

  async #sendRule(rule: NotificationRuleRow): Promise<void> {
    const { deliveries, now } = this.#deps;
    const [oldest] = await deliveries.waiting(rule.id, 1);
    if (!oldest) return;
    if (!isTime(rule.settings, oldest.at, now())) return this.#rest(rule.id, maxRestMs);
    const rows = await deliveries.waiting(rule.id, maxRows);
    const due = dueOf(rows, now());
    // Messages that wait for their next attempt are not read again each second.
    if (due.length === 0) return this.#rest(rule.id, Math.min(maxRestMs, restOf(rows, now())));
    if (rule.settings.channel === 'mail' || due.length > maxSeparate) {
      await this.#send(rule, due);
      if (due.length > 1) this.#rest(rule.id, afterManyMs);
      return;
    }
    const failed = new Set<string>();
    for (const row of due) {
      if (failed.has(row.subject)) continue;
      const outcome = await this.#send(rule, [row]);
      if (outcome === 'stop') return;
      if (outcome === 'failed') failed.add(row.subject);
    }
  }

  #rest(ruleId: number, forMs: number): void {
    this.#resting.set(ruleId, this.#deps.now() + forMs);
  }

  /** @returns `stop` when others of the rule are not to be tried now. */
  async #send(rule: NotificationRuleRow, rows: readonly DeliveryRow[]): Promise<'sent' | 'failed' | 'stop'> {
    const { deliveries, notificationRules, now } = this.#deps;
    const { failure, isFinal, isUnreachable } =
      rule.settings.channel === 'mail' ? await this.#mail(rule, rows) : await this.#webhook(rule, rows);
    const ids = rows.map(({ id }) => id);
    if (failure === null) {
      await deliveries.sent(ids);
      await notificationRules.sent(rule.id, now());
      return 'sent';
    }
    const attempts = Math.max(...rows.map((row) => row.attempts));
    const at = isFinal ? null : retryAt(attempts, now());
    await deliveries.failed(ids, failure, at);
    await notificationRules.failed(rule.id, failure);
    if (isFinal) await notificationRules.change(rule, { ...rule.settings, paused: true });
    if (isFinal) return 'stop';
    if (!isUnreachable) return 'failed';
    this.#rest(rule.id, Math.min(maxRestMs, (at ?? now()) - now()));
    return 'stop';
  }

  async #projectPaths(rows: readonly DeliveryRow[]): Promise<ReadonlyMap<number, string>> {
    const paths = new Map<number, string>();
    for (const id of new Set(rows.slice(0, maxSeparate).flatMap(({ project_id: of }) => of ?? []))) {
      const project = await this.#deps.projects.byId(id);
      if (project) paths.set(id, project.path);
    }
    return paths;
  }

  async #mail(rule: NotificationRuleRow, rows: readonly DeliveryRow[]): Promise<Outcome> {
    const { project_id: projectId, settings } = rule;
    if (projectId !== null && !(await isMailOfMember(this.#deps, projectId, settings.to)))
      return {
        failure: `${settings.to} is not the address of a member any more.`,
        isFinal: true,
        isUnreachable: false,
      };
    const server = await readMailServer(this.#deps);
    if (!server) return { failure: 'No server for mail is set up.', isFinal: false, isUnreachable: true };
    const baseUrl = this.#deps.baseUrl();
    const mail = mailOf(baseUrl, rule.settings.name, rows, await this.#projectPaths(rows), rows.length);
    const messageId = `<${idOf(rule, rows)}@${new URL(baseUrl).hostname.replaceAll(/[[\]]/g, '')}>`;
    return { ...(await sendMail(server, { to: rule.settings.to, ...mail, messageId })), isUnreachable: true };
  }

  async #webhook(rule: NotificationRuleRow, rows: readonly DeliveryRow[]): Promise<Outcome> {
    const { secrets, now } = this.#deps;
    const body = webhookBody(this.#deps.baseUrl(), rows, await this.#projectPaths(rows), rows.length);
    const keys = secretsOf(secrets, rule, now());
    if (keys.length === 0)
      return { failure: 'The secret of the webhook cannot be read. Rotate it.', isFinal: true, isUnreachable: true };
    const headers = webhookHeaders(idOf(rule, rows), body, keys, now());
    const { isGone, ...result } = await sendWebhook(this.#deps, { url: rule.settings.to, body, headers });
    return { ...result, isFinal: isGone };
  }
}

/** The same for each attempt with the same content. */
function idOf(rule: NotificationRuleRow, rows: readonly DeliveryRow[]): string {
  const [first, last] = [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0];
  return first === last ? `msg_${rule.id}_${first}` : `msg_${rule.id}_${first}_${last}`;
}

/** Milliseconds until the first of them may be tried again. */
function restOf(rows: readonly DeliveryRow[], now: number): number {
  return rows.reduce((least, { retry_at: at }) => Math.min(least, (at ?? now) - now), maxRestMs);
}

/** Those whose time has come, without those behind one of the same subject that waits. */
function dueOf(rows: readonly DeliveryRow[], now: number): readonly DeliveryRow[] {
  const blocked = new Set<string>();
  return rows.filter((row) => {
    const waits = row.retry_at !== null && row.retry_at > now;
    if (waits) blocked.add(row.subject);
    return !blocked.has(row.subject);
  });
}
