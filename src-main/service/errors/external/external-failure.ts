import { errorCode } from '../../common/error-code.ts';
import { HttpProblem } from '../../common/problem.ts';

export type FailureKind =
  | 'name-not-found'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'disconnected'
  | 'redirect'
  | 'token-refused'
  | 'token-missing'
  | 'forbidden'
  | 'not-found'
  | 'limited'
  | 'too-large'
  | 'not-sentry'
  | 'status';

/**
 * The external backend cannot be used; the text gives the reason and what to do, and contains
 * neither the token nor anything the server sent.
 */
export class ExternalFailure extends HttpProblem {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, detail: string) {
    super(kind === 'timeout' ? 504 : 502, detail, { type: `external-${kind}` });
    this.name = 'ExternalFailure';
    this.kind = kind;
  }
}

/** Translates the code of a failed connection in Node. */
export function connectionFailure(error: unknown, url: URL): ExternalFailure {
  const code = errorCode(error);
  const host = url.host;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA')
    return new ExternalFailure(
      'name-not-found',
      `No host named ${url.hostname} can be found. Check the API URL, and the name server of this machine.`,
    );
  if (code === 'ECONNREFUSED')
    return new ExternalFailure(
      'refused',
      `${host} refuses connections. Check that the server runs, and the port in the API URL.`,
    );
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL')
    return new ExternalFailure(
      'unreachable',
      `There is no way to ${host} from this machine. Check the network, and firewalls between the two.`,
    );
  if (code === 'ETIMEDOUT') return timedOut(url);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return new ExternalFailure(
      'tls',
      `${host} does not answer with TLS. If it is a plain http server, begin the API URL with http://.`,
    );
  if (code.startsWith('HPE_')) return notSentry(host);
  const certificate = certificateFaults[code];
  if (certificate !== undefined) return new ExternalFailure('tls', `The certificate of ${host} ${certificate}`);
  return new ExternalFailure(
    'disconnected',
    `${host} closed the connection before it answered. Check that it is a web server, and try again.`,
  );
}

/** The server is not Sentry, or its response cannot be read. */
export function notSentry(host: string): ExternalFailure {
  return new ExternalFailure(
    'not-sentry',
    `What answers at ${host} is not the interface of Sentry or of a compatible server. Check the API URL.`,
  );
}

/** No response was received in time. */
export function timedOut(url: URL): ExternalFailure {
  return new ExternalFailure(
    'timeout',
    `${url.host} did not answer in time. Check that it is up and reachable from this machine, and try again.`,
  );
}

const notTrusted =
  'is not trusted by this machine. Give the service the certificate of its authority with NODE_EXTRA_CA_CERTS=FILE, and start it again.';
const certificateFaults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_UNTRUSTED: notTrusted,
  CERT_HAS_EXPIRED: 'has expired. Renew it on the server, and check the clock of this machine.',
  CERT_NOT_YET_VALID: 'is not valid yet. Check the clocks of the server and of this machine.',
  CERT_REVOKED: 'has been revoked. Renew it on the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name. Use the name that it was made for in the API URL.',
};
