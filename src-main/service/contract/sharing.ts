import { Type, type Static } from 'typebox';
import { Fingerprint, named, Nullable, PageQuery, Timestamp } from './common.ts';

export const SharingProblem = Type.Enum([
  'needs-password',
  'port-in-use',
  'port-forbidden',
  'address-gone',
  'not-reachable',
  'unexpected',
]);
export type SharingProblem = Static<typeof SharingProblem>;

/** Whether and how other machines on the local network reach this service. Off by default. */
export const Sharing = named('Sharing', {
  on: Type.Boolean({ description: 'Listening now' }),
  wanted: Type.Boolean({ description: 'Switched on; not listening then means a problem' }),
  problem: Nullable(SharingProblem),
  message: Nullable(Type.String()),
  needs_password: Type.Boolean({ description: "The owner's account has no password yet: one is needed first" }),
  address: Nullable(Type.String({ description: 'Chosen address of this machine; null is the first one' })),
  port: Type.Integer(),
  free_port: Nullable(Type.Integer({ description: 'A free port, when the chosen one is in use' })),
  announce: Type.Boolean({ description: 'Whether the name is announced on the network (multicast DNS)' }),
  tls: Type.Boolean({
    description: 'https, with a certificate made on this machine; otherwise http, which others on the network can read',
  }),
  certificate_sha256: Nullable(Fingerprint),
  url: Nullable(Type.String({ description: 'What others type' })),
  name: Nullable(Type.String({ description: 'Its name on the network, once it is announced' })),
  name_url: Nullable(
    Type.String({ description: 'The same address by name, for machines that understand multicast DNS' }),
  ),
  interfaces: Type.Array(
    Type.Object({ name: Type.String(), address: Type.String(), family: Type.Enum(['IPv4', 'IPv6']) }),
  ),
  firewall: Nullable(Type.Object({ text: Type.String(), command: Nullable(Type.String()) })),
});
export type Sharing = Static<typeof Sharing>;

export const SharingChange = Type.Object(
  {
    on: Type.Optional(Type.Boolean()),
    address: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 64 }))),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    announce: Type.Optional(Type.Boolean()),
    tls: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type SharingChange = Static<typeof SharingChange>;

export const SharingTest = named('SharingTest', { reachable: Type.Boolean(), message: Type.String() });
export type SharingTest = Static<typeof SharingTest>;

/** By whom and from where a transfer was asked for, and what. */
const asked = {
  token_name: Nullable(Type.String()),
  application_name: Nullable(Type.String()),
  address: Nullable(Type.String()),
  measurement_id: Type.String(),
  what: Type.Enum(['manifest', 'file', 'archive']),
  path: Nullable(Type.String()),
  range: Nullable(Type.String()),
};

/** A body that is being sent, or the short ones that one receiver was sent in the last second. */
export const OutgoingTransfer = named('OutgoingTransfer', {
  id: Type.Integer({ description: 'Of this run of the service; where replicas share a database, of all of them' }),
  short_answers: Nullable(
    Type.Integer({
      description: 'How many answers that were over at once this gathers; null for a single body under way',
    }),
  ),
  username: Type.String(),
  ...asked,
  bytes_sent: Type.Integer(),
  bytes_total: Nullable(Type.Integer()),
  bytes_per_second: Type.Integer(),
  user_agent: Nullable(Type.String()),
  started_at: Timestamp,
});
export type OutgoingTransfer = Static<typeof OutgoingTransfer>;

export const PastTransferQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of a user name, measurement id or address' })),
});
export const PastTransfer = named('PastTransfer', {
  id: Type.Integer(),
  started_at: Timestamp,
  ended_at: Nullable(Timestamp),
  username: Nullable(Type.String()),
  ...asked,
  status: Type.Integer(),
  bytes_sent: Type.Integer(),
  outcome: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  requests: Type.Integer({ description: 'More than one where small answers of one minute share a record' }),
});
export type PastTransfer = Static<typeof PastTransfer>;
