import { Type, type Static } from 'typebox';
import { named, Nullable, Timestamp } from '../common.ts';

/**
 * Happenings that rules tell of. `run-stuck`: a run in a watched folder needs a person; `copy-lost`:
 * another server no longer has the bytes of a copy; `copy-late`: a copy makes no progress;
 * `error-storm`: far more events than usual; `backup-late`: a scheduled backup fails or is not made;
 * `ending-soon`: a token or certificate expires; `sign-in-new-place`: a sign-in from a network or a
 * browser that the user has not used lately; `bench-silent`: a bench reports no more.
 */
export const NotificationKind = Type.Enum([
  'run-registered',
  'run-stuck',
  'copy-verified',
  'copy-lost',
  'degraded',
  'error-new',
  'error-regressed',
  'copy-late',
  'error-storm',
  'disk-low',
  'backup-late',
  'ending-soon',
  'sign-in-new-place',
  'bench-silent',
]);
export type NotificationKind = Static<typeof NotificationKind>;

const NotificationChannel = Type.Enum(['mail', 'webhook']);
const NotificationDigest = Type.Enum(['none', 'hourly', 'daily']);

const Hour = Type.Integer({ minimum: 0, maximum: 23 });
const settings = {
  name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$' }),
  kinds: Type.Array(NotificationKind, { minItems: 1, maxItems: 20 }),
  everybody: Type.Boolean({
    description: 'Of measurements of all users and errors of all projects, for administrators; otherwise of own ones',
  }),
  project_id: Nullable(Type.Integer({ minimum: 1, description: 'Only errors of this project' })),
  channel: NotificationChannel,
  to: Type.String({ minLength: 3, maxLength: 2000, description: 'An address of mail, or the URL of a webhook' }),
  digest: NotificationDigest,
  quiet_from: Nullable(Hour),
  quiet_until: Nullable(Type.Integer({ minimum: 0, maximum: 23, description: 'Local time of the service' })),
  paused: Type.Boolean(),
};

export const NotificationRuleInput = Type.Object(settings, {
  $id: 'NotificationRuleInput',
  additionalProperties: false,
});
export type NotificationRuleInput = Static<typeof NotificationRuleInput>;

const ruleFields = {
  id: Type.Integer(),
  ...settings,
  waiting: Type.Integer({ description: 'Happenings that were not told yet' }),
  last_sent_at: Nullable(Timestamp),
  failure: Nullable(Type.String({ description: 'Why the last attempt failed' })),
  created_at: Timestamp,
};
export const NotificationRule = named('NotificationRule', ruleFields);
export type NotificationRule = Static<typeof NotificationRule>;
export const NotificationRules = Type.Array(NotificationRule, { $id: 'NotificationRules' });

/** With the secret of a webhook, which is shown once. */
export const NewNotificationRule = named('NewNotificationRule', {
  ...ruleFields,
  secret: Nullable(Type.String({ description: 'By which messages are signed (Standard Webhooks), whsec_...' })),
});
export type NewNotificationRule = Static<typeof NewNotificationRule>;

/** Facts of the service by which a rule is made. */
export const NotificationChoices = named('NotificationChoices', {
  mail: Type.Boolean({ description: 'Whether a server for mail is set up' }),
  time_zone: Type.String({ description: 'Of quiet hours and daily messages, such as Europe/Berlin' }),
  utc_offset_minutes: Type.Integer({ description: 'Of that zone now, east of UTC' }),
  max_rules: Type.Integer(),
});
export type NotificationChoices = Static<typeof NotificationChoices>;

/** A part of the deliveries of a rule: those made before the delivery with an id. */
export const DeliveriesQuery = Type.Object(
  {
    before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
  },
  { additionalProperties: false },
);

/** Sent and waiting messages of a rule, newest first. */
export const Deliveries = Type.Array(
  Type.Object({
    id: Type.Integer(),
    at: Timestamp,
    kind: NotificationKind,
    subject: Type.String(),
    title: Type.String(),
    state: Type.Enum(['waiting', 'sent', 'given-up']),
    attempts: Type.Integer(),
    retry_at: Nullable(Timestamp),
    message: Nullable(Type.String()),
  }),
  { $id: 'Deliveries' },
);
export type Deliveries = Static<typeof Deliveries>;
export type Delivery = Deliveries[number];

/** How a test message was sent: the dialogue with the server or the receiver, without secrets. */
export const NotificationTest = named('NotificationTest', {
  sent: Type.Boolean(),
  message: Type.String(),
  dialogue: Type.Array(Type.String()),
});
export type NotificationTest = Static<typeof NotificationTest>;

const mailServer = {
  host: Type.String({ minLength: 1, maxLength: 253 }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  security: Type.Enum(['tls', 'starttls', 'none'], {
    description: 'tls from the first byte, starttls as a condition, or none',
  }),
  username: Nullable(Type.String({ minLength: 1, maxLength: 255 })),
  from: Type.String({ minLength: 3, maxLength: 320, pattern: '^[^\\s@]+@[^\\s@]+$' }),
};
/** The server that mail is sent by; null when there is none. */
export const MailServer = Nullable(Type.Object({ ...mailServer, has_password: Type.Boolean() }));
export type MailServer = Static<typeof MailServer>;
export const MailServerInput = Type.Object(
  {
    ...mailServer,
    password: Type.Optional(
      Nullable(Type.String({ maxLength: 1000, description: 'Null removes it; left out, it stays as it is' })),
    ),
  },
  { $id: 'MailServerInput', additionalProperties: false },
);
export type MailServerInput = Static<typeof MailServerInput>;
