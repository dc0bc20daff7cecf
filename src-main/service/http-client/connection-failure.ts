import { errorCode } from '../common/error-code.ts';

/** Why a connection failed before the whole response had arrived. */
export type ConnectionFailure =
  | 'name-unknown'
  | 'refused'
  | 'unreachable'
  | 'timed-out'
  | 'no-tls'
  | 'not-http'
  | 'disconnected'
  | 'token-unusable'
  | CertificateFailure;

export type CertificateFailure =
  | 'certificate-untrusted'
  | 'certificate-not-pinned'
  | 'certificate-expired'
  | 'certificate-not-yet-valid'
  | 'certificate-revoked'
  | 'certificate-of-other-host';

const failureOfCode: Readonly<Record<string, ConnectionFailure>> = {
  ENOTFOUND: 'name-unknown',
  EAI_AGAIN: 'name-unknown',
  EAI_NODATA: 'name-unknown',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  ETIMEDOUT: 'timed-out',
  EPROTO: 'no-tls',
  ERR_INVALID_CHAR: 'token-unusable',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate-untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate-untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate-untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate-untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate-untrusted',
  CERT_UNTRUSTED: 'certificate-untrusted',
  CERT_HAS_EXPIRED: 'certificate-expired',
  CERT_NOT_YET_VALID: 'certificate-not-yet-valid',
  CERT_REVOKED: 'certificate-revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-of-other-host',
};

/** A host name, and the same with its port. */
export type HostNames = Pick<URL, 'host' | 'hostname'>;

const messages: Readonly<Record<ConnectionFailure, (names: HostNames) => string>> = {
  'name-unknown': ({ hostname }) =>
    `No host named ${hostname} can be found. Check the address, and the name server of this machine.`,
  refused: ({ host }) => `${host} refuses connections. Check that the server runs, and the port in the address.`,
  unreachable: ({ host }) =>
    `${host} cannot be reached from this machine. Check the network, and any firewall in between.`,
  'timed-out': ({ host }) =>
    `${host} did not respond in time. Check that the server runs and that this machine can reach it.`,
  'no-tls': ({ host }) =>
    `${host} does not answer with TLS. If it is a plain http server, begin the address with http://.`,
  'not-http': ({ host }) => `The program at ${host} is not a working HTTP server. Check the port in the address.`,
  disconnected: ({ host }) =>
    `${host} closed the connection before everything had arrived. If this persists, check the address.`,
  'token-unusable': ({ host }) => `The token for ${host} has characters that are not allowed in a token.`,
  'certificate-untrusted': ({ host }) =>
    `The certificate of ${host} is not trusted by this machine. If it is the one that the owner of the server names, trust exactly this certificate.`,
  'certificate-not-pinned': ({ host }) =>
    `${host} presents a different certificate than the trusted one. Ask its owner before trusting the new one.`,
  'certificate-expired': ({ host }) =>
    `The certificate of ${host} has expired. It has to be renewed on the server; check also the clock of this machine.`,
  'certificate-not-yet-valid': ({ host }) =>
    `The certificate of ${host} is not valid yet. Check the clocks of the server and of this machine.`,
  'certificate-revoked': ({ host }) =>
    `The certificate of ${host} has been revoked. It has to be renewed on the server.`,
  'certificate-of-other-host': ({ host }) =>
    `The certificate of ${host} is for another host name. Use the name that it was made for.`,
};

/** Maps an error of Node's sockets, TLS or HTTP parser; any other error is a disconnection. */
export function connectionFailure(error: unknown): ConnectionFailure {
  const code = errorCode(error);
  if (code.startsWith('ERR_SSL_')) return 'no-tls';
  if (code.startsWith('HPE_')) return 'not-http';
  return failureOfCode[code] ?? 'disconnected';
}

/** Says what failed and what to do; contains neither the token nor text from the server. */
export function failureMessage(failure: ConnectionFailure, names: HostNames): string {
  return messages[failure](names);
}
