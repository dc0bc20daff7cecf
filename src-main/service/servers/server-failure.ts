import type { ServerProblem } from '../contract/servers.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import { ManifestError } from '../fetching/engine/manifest/read-manifest-slices.ts';
import { HttpProblem } from '../common/problem.ts';

/** A problem with a server: a code for the screens, and a message for the user. */
export interface ServerFailure {
  readonly problem: ServerProblem;
  readonly message: string;
}

/**
 * A failed request to another server, in a form that passes between threads and into a problem
 * document.
 */
export interface RemoteFailure {
  readonly type: ServerProblem | 'not-found' | 'no-access' | 'bad-manifest';
  readonly message: string;
}

/** Translates a failed HTTP request into a problem with the server. */
export function failureOf(error: HttpRequestError, hasToken: boolean): ServerFailure {
  const { failure, message, status, headers } = error;
  switch (failure) {
    case 'address-unusable':
    case 'address-refused':
    case 'redirected':
      return { problem: 'address-unusable', message };
    case 'name-unknown':
    case 'refused':
    case 'unreachable':
    case 'timed-out':
    case 'no-tls':
      return { problem: failure, message };
    case 'disconnected':
      return { problem: 'unreachable', message };
    case 'certificate-untrusted':
    case 'certificate-not-pinned':
    case 'certificate-expired':
    case 'certificate-not-yet-valid':
    case 'certificate-revoked':
    case 'certificate-of-other-host':
      return { problem: 'certificate', message };
    case 'token-unusable':
      return { problem: 'token-refused', message };
    case 'not-http':
    case 'bad-response':
    case 'coded':
      return { problem: 'not-a-measurement-server', message };
    case 'status':
      return { problem: problemOfStatus(status ?? 0, headers['www-authenticate'] ?? '', hasToken), message };
  }
}

function problemOfStatus(status: number, challenge: string, hasToken: boolean): ServerProblem {
  if (status === 401 && challenge !== '' && !/\bbearer\b/i.test(challenge)) return 'not-a-measurement-server';
  if (status === 403 && challenge.includes('insufficient_scope')) return 'scope-too-small';
  // The original server responds with 403 and no challenge to a missing or wrong token.
  if (status === 401 || status === 403) return hasToken ? 'token-refused' : 'token-missing';
  if (status === 421) return 'wrong-host';
  return status === 429 || status >= 500 ? 'server-failed' : 'not-a-measurement-server';
}

/** Translates an error of a request for measurements; null when the server is not the cause. */
export function remoteFailure(error: unknown, hasToken: boolean): RemoteFailure | null {
  if (error instanceof ManifestError) return { type: 'bad-manifest', message: error.message };
  if (error instanceof Error && error.name === 'TimeoutError')
    return { type: 'timed-out', message: 'The server took too long to answer.' };
  if (!(error instanceof HttpRequestError)) return null;
  if (error.reason === 'not-found') return { type: 'not-found', message: error.message };
  const { problem, message } = failureOf(error, hasToken);
  return { type: error.reason === 'no-access' && problem === 'token-refused' ? 'no-access' : problem, message };
}

/** The response to the client of this service. */
export function remoteProblem({ type, message }: RemoteFailure): HttpProblem {
  return new HttpProblem(502, message, { type: `remote-${type}` });
}
