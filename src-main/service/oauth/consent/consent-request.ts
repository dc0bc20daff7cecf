import type { AuthorizeRequest } from './authorize-request.ts';

/** The part of a request that a user decides about, as plain JSON; the rest is checked before. */
export interface ConsentRequest extends Pick<
  AuthorizeRequest,
  'responseType' | 'back' | 'scopes' | 'codeChallenge' | 'nonce'
> {
  readonly application: { readonly id: number };
}

export function consentRequest(wanted: AuthorizeRequest): ConsentRequest {
  const { application, responseType, back, scopes, codeChallenge, nonce } = wanted;
  return { application: { id: application.id }, responseType, back, scopes, codeChallenge, nonce };
}
