import type { IncomingHttpHeaders } from 'node:http';
import type { FetchReason } from '../contract/fetches.ts';
import { HttpRequestError } from './http-request-error.ts';

/** Maps a status code to its reason and message. */
export function statusFailure(status: number, headers: IncomingHttpHeaders, host: string): HttpRequestError {
  const [reason, message] = meaningOf(status, headers, host);
  return new HttpRequestError({ reason, status, headers }, message);
}

function meaningOf(status: number, headers: IncomingHttpHeaders, host: string): readonly [FetchReason, string] {
  switch (status) {
    case 401:
      return [
        'token-refused',
        `${host} does not accept the token (401): it is missing, wrong, expired or revoked. Enter another one.`,
      ];
    case 403:
      return headers['www-authenticate']?.includes('insufficient_scope') === true
        ? [
            'no-access',
            `The token for ${host} may not do this (403). It needs one of the scopes read_measurement, read_api or api.`,
          ]
        : ['no-access', `${host} denies access to this (403). Ask its owner for access.`];
    case 404:
    case 410:
      return ['not-found', `Not found on ${host} (${status}). It may have been removed there.`];
    case 409:
      return [
        'file-changed',
        `${host} does not serve this because it has changed since it was registered (409). Its owner has to restore and verify it.`,
      ];
    case 421:
      return ['unreachable', `${host} does not answer to this name (421). Use the address that its owner gives.`];
    case 429:
    case 503:
      return ['server-busy', `${host} is busy (${status}).`];
    default:
      return status >= 500
        ? ['server-failed', `${host} failed (${status}). If this persists, tell its owner.`]
        : ['bad-answer', `${host} answered with the unexpected status ${status}.`];
  }
}
