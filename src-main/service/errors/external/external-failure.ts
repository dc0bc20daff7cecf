import { HttpProblem } from '../../common/problem.ts';
import type { HttpRequestError, HttpRequestFailure } from '../../http-client/http-request-error.ts';

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

const kinds: Readonly<Record<Exclude<HttpRequestFailure, 'status'>, FailureKind>> = {
  'name-unknown': 'name-not-found',
  refused: 'refused',
  unreachable: 'unreachable',
  'timed-out': 'timeout',
  'no-tls': 'tls',
  'not-http': 'not-sentry',
  disconnected: 'disconnected',
  'token-unusable': 'token-refused',
  'certificate-untrusted': 'tls',
  'certificate-not-pinned': 'tls',
  'certificate-expired': 'tls',
  'certificate-not-yet-valid': 'tls',
  'certificate-revoked': 'tls',
  'certificate-of-other-host': 'tls',
  'address-unusable': 'not-sentry',
  'address-refused': 'unreachable',
  redirected: 'redirect',
  coded: 'not-sentry',
  'bad-response': 'not-sentry',
};

/** Translates the failure of a request. */
export function externalFailure({ failure, status, headers, message }: HttpRequestError, url: URL): ExternalFailure {
  if (failure === 'status') return refusalOf(status ?? 0, url, headers.location);
  const kind = kinds[failure];
  if (kind === 'not-sentry') return notSentry(url.host);
  // Certificates cannot be pinned here.
  if (failure === 'certificate-untrusted')
    return new ExternalFailure(
      kind,
      `The certificate of ${url.host} is not trusted by this machine. Give the service the certificate of its authority with NODE_EXTRA_CA_CERTS=FILE, and start it again.`,
    );
  return new ExternalFailure(kind, message);
}

/** The server is not Sentry, or its response cannot be read. */
export function notSentry(host: string): ExternalFailure {
  return new ExternalFailure(
    'not-sentry',
    `${host} does not answer like Sentry or a compatible server. Check the API URL.`,
  );
}

function refusalOf(status: number, url: URL, location: string | undefined): ExternalFailure {
  if (status === 401)
    return new ExternalFailure(
      'token-refused',
      `${url.host} does not accept the auth token (401). Check the token, or create a new one there.`,
    );
  if (status === 403)
    return new ExternalFailure(
      'forbidden',
      `The auth token may not do this at ${url.host} (403). It needs the scopes project:read, event:read and event:write.`,
    );
  if (status === 429)
    return new ExternalFailure('limited', `${url.host} accepts no more requests for now (429). Try again in a while.`);
  if (status >= 300 && status < 400) {
    const to = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url.href).origin : null;
    const hint = to === null || to === url.origin ? '' : ` to ${to}`;
    return new ExternalFailure(
      'redirect',
      `${url.host} redirects${hint}. Redirects are not followed, because of the token: enter the server's real address.`,
    );
  }
  return new ExternalFailure(
    'status',
    `${url.host} answered with the status ${status}.${status >= 500 ? ' Check that server, and try again.' : ''}`,
  );
}
