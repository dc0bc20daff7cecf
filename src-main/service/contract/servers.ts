import { MeasurementSort } from './measurements.ts';
import { Type, type Static } from 'typebox';
import { Fingerprint, named, Nullable, Timestamp } from './common.ts';

const BaseUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'http or https, without query, fragment or user; without a scheme https is meant',
});
const Token = Type.String({ minLength: 1, maxLength: 4096, pattern: '^[\\x21-\\x7e]+$' });
const Name = Type.String({ minLength: 1, maxLength: 100 });
const SpeedLimit = Type.Integer({ minimum: 1024, description: 'Bytes per second' });
const Connections = Type.Integer({ minimum: 1, maximum: 16 });

/** Reasons why a server cannot be used, distinguished so that the screens can say what to do. */
export const ServerProblem = Type.Enum([
  'address-unusable',
  'name-unknown',
  'refused',
  'unreachable',
  'timed-out',
  'certificate',
  'no-tls',
  'wrong-host',
  'token-missing',
  'token-refused',
  'scope-too-small',
  'not-a-measurement-server',
  'server-failed',
]);
export type ServerProblem = Static<typeof ServerProblem>;

/** A server that measurements are fetched from. The token itself is never shown again. */
export const RemoteServer = named('RemoteServer', {
  id: Type.Integer(),
  name: Type.String(),
  base_url: Type.String(),
  has_token: Type.Boolean(),
  certificate_sha256: Nullable(Fingerprint),
  speed_limit: Nullable(Type.Integer()),
  connections: Nullable(Type.Integer()),
  reports: Type.Boolean({
    description: 'Whether it is told how this Benchport is, if measurements are pushed to it',
  }),
  reports_refused: Nullable(
    Type.String({ description: 'Why it takes no reports of this Benchport, since this was started' }),
  ),
  state: Type.Enum(['untested', 'ok', 'failed']),
  problem: Nullable(ServerProblem),
  message: Nullable(Type.String({ description: 'The problem and what to do' })),
  lists: Nullable(
    Type.Boolean({ description: 'Whether it can list its measurements; otherwise their ids have to be known' }),
  ),
  username: Nullable(Type.String({ description: 'Whose the token is, where the server says so' })),
  checked_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type RemoteServer = Static<typeof RemoteServer>;

export const NewRemoteServer = Type.Object(
  {
    base_url: BaseUrl,
    name: Type.Optional(Name),
    token: Type.Optional(Token),
    certificate_sha256: Type.Optional(Fingerprint),
    only_if_works: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type NewRemoteServer = Static<typeof NewRemoteServer>;

/** A changed address keeps the token only within one origin: otherwise it has to be given again. */
export const RemoteServerChange = Type.Object(
  {
    base_url: Type.Optional(BaseUrl),
    name: Type.Optional(Name),
    token: Type.Optional(Nullable(Token)),
    certificate_sha256: Type.Optional(Nullable(Fingerprint)),
    speed_limit: Type.Optional(Nullable(SpeedLimit)),
    connections: Type.Optional(Nullable(Connections)),
    reports: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type RemoteServerChange = Static<typeof RemoteServerChange>;

/** The certificate that a server presents, trusted or not. */
export const ShownCertificate = named('ShownCertificate', {
  sha256: Fingerprint,
  subject: Type.String(),
  valid_to: Timestamp,
});
export type ShownCertificate = Static<typeof ShownCertificate>;
export const ShownCertificateRequest = Type.Object({ base_url: BaseUrl }, { additionalProperties: false });

/** A server found on the local network (DNS-SD, `_benchport._tcp`). */
export const DiscoveredServer = named('DiscoveredServer', {
  name: Type.String(),
  base_url: Type.String(),
  version: Nullable(Type.String()),
  certificate_sha256: Nullable(
    Type.String({
      description: 'The certificate it announces; anybody on the network can announce one, so compare it',
    }),
  ),
  added: Type.Boolean({ description: 'Whether it is in the list already' }),
});
export type DiscoveredServer = Static<typeof DiscoveredServer>;

export const RemoteMeasurement = named('RemoteMeasurement', {
  id: Type.String(),
  title: Type.String(),
  state: Type.String(),
  file_count: Type.Integer(),
  total_bytes: Type.Integer(),
  created_at: Type.String(),
});
export type RemoteMeasurement = Static<typeof RemoteMeasurement>;

export const RemoteMeasurementQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 200 })),
  sort: Type.Optional(MeasurementSort),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
  page: Type.Integer({ minimum: 1, default: 1 }),
});
export const RemoteMeasurementPage = named('RemoteMeasurementPage', {
  items: Type.Array(RemoteMeasurement),
  total: Type.Integer(),
  more: Type.Boolean({ description: 'Whether there may be more than `total`' }),
  per_page: Type.Integer(),
});
export type RemoteMeasurementPage = Static<typeof RemoteMeasurementPage>;

/**
 * Some files of a remote manifest, as the server gives them; those with a `refusal` can never be
 * fetched under that name.
 */
export const RemoteFile = Type.Object({
  index: Type.Integer(),
  path: Type.String(),
  length: Type.Integer(),
  refusal: Nullable(Type.String()),
});
export type RemoteFile = Static<typeof RemoteFile>;
export const RemoteFileQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 200 })),
  offset: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 200 }),
});
export const RemoteFilePage = named('RemoteFilePage', {
  items: Type.Array(RemoteFile),
  total: Type.Integer(),
  file_count: Type.Integer(),
  total_bytes: Type.Integer(),
});
export type RemoteFilePage = Static<typeof RemoteFilePage>;
