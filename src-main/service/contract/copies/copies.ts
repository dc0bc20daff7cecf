import { Type, type Static } from 'typebox';
import { MeasurementId, named, Nullable, Timestamp } from '../common.ts';

const CopyState = Type.Enum(['queued', 'sending', 'waiting', 'asking', 'paused', 'verified', 'failed', 'cancelled']);

/** Why a copy does not go on, or could not be verified. */
export const CopyReason = Type.Enum([
  'unreachable',
  'certificate',
  'token-refused',
  'no-access',
  'redirected',
  'server-busy',
  'server-failed',
  'over-quota',
  'id-taken',
  'refused',
  'bad-answer',
  'server-removed',
  'measurement-removed',
  'not-intact',
  'no-receipt',
  'receipt-refused',
  'copy-removed',
  'bytes-differ',
  'unexpected',
]);
export type CopyReason = Static<typeof CopyReason>;

/**
 * A copy of a measurement on another server. `waiting` continues by itself at `retry_at`; `asking`
 * waits for the user; `verified` has a receipt, and answered for random blocks at `verified_at`.
 */
export const Copy = named('Copy', {
  id: Type.Integer(),
  measurement_id: Type.String(),
  title: Type.String(),
  server_id: Nullable(Type.Integer()),
  server_name: Type.String(),
  base_url: Type.String(),
  project: Nullable(Type.String()),
  state: CopyState,
  reason: Nullable(CopyReason),
  message: Nullable(Type.String()),
  retry_at: Nullable(Timestamp),
  bytes_done: Type.Integer(),
  bytes_total: Type.Integer(),
  bytes_per_second: Type.Integer(),
  outside_hours: Type.Boolean({ description: 'Whether it waits for the hours in which copies are sent' }),
  has_receipt: Type.Boolean(),
  verified_at: Nullable(Timestamp),
  check_at: Nullable(Timestamp),
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
});
export type Copy = Static<typeof Copy>;

export const CopyFilter = Type.Enum(['all', 'active', 'verified', 'failed']);
export type CopyFilter = Static<typeof CopyFilter>;

export const CopyListQuery = Type.Object({
  filter: Type.Optional(CopyFilter),
  measurement_id: Type.Optional(MeasurementId),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});
export const CopyPage = named('CopyPage', {
  items: Type.Array(Copy),
  total: Type.Integer(),
  counts: Type.Object({
    all: Type.Integer(),
    active: Type.Integer(),
    verified: Type.Integer(),
    failed: Type.Integer(),
  }),
});
export type CopyPage = Static<typeof CopyPage>;

/** Measurements to keep a copy of: those named, or all of a project on this service. */
export const CopyRequest = Type.Object(
  {
    server_id: Type.Integer({ minimum: 1 }),
    measurement_ids: Type.Optional(Type.Array(MeasurementId, { minItems: 1, maxItems: 1000 })),
    of_project: Type.Optional(Type.Integer({ minimum: 1, description: 'All measurements granted to this project' })),
    project: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Path of the project there whose members may read it' }),
    ),
  },
  { additionalProperties: false },
);
export type CopyRequest = Static<typeof CopyRequest>;
export const CopiesAdded = named('CopiesAdded', {
  added: Type.Integer(),
  known: Type.Integer({ description: 'Those that have a copy there already, or one that is on its way' }),
  left_out: Type.Integer({ description: 'Those that are being registered, or are not intact' }),
});
export type CopiesAdded = Static<typeof CopiesAdded>;

export const CopyAction = Type.Enum(['pause', 'resume', 'cancel', 'retry', 'check', 'remove']);
export type CopyAction = Static<typeof CopyAction>;
export const CopyActionRequest = Type.Object(
  {
    action: CopyAction,
    ids: Type.Union([Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 1000 }), Type.Enum(['all'])]),
  },
  { additionalProperties: false },
);
export const CopyActionResult = Type.Object({ changed: Type.Integer() });

export const CopySettings = named(
  'CopySettings',
  {
    at_most: Type.Integer({ minimum: 1, maximum: 8, description: 'How many are sent at once' }),
    speed_limit: Nullable(Type.Integer({ minimum: 1024, description: 'Bytes per second, of all together' })),
    schedule: Nullable(
      Type.String({
        pattern: '^[01]{168}$',
        description: 'For each hour of the week in local time, beginning on Monday: whether copies are sent',
      }),
    ),
  },
  { additionalProperties: false },
);
export type CopySettings = Static<typeof CopySettings>;

/** A receipt with the keys of its issuer, as it is kept in a file. */
export const ReceiptFile = named('ReceiptFile', {
  receipt: Type.String({ description: 'JWS in its compact form (RFC 7515)' }),
  issuer: Type.String({ description: 'Base URL under which the issuer was reached' }),
  keys: Type.Array(Type.Record(Type.String(), Type.Unknown())),
});
export type ReceiptFile = Static<typeof ReceiptFile>;

/** A verified copy as those see it who may read the measurement. */
export const VerifiedCopy = named('VerifiedCopy', { server_name: Type.String(), verified_at: Timestamp });
export type VerifiedCopy = Static<typeof VerifiedCopy>;
