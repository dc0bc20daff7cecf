import type { ReturnAddress } from './authorize-redirect.ts';

/** The error codes of RFC 6749 section 4.1.2.1 and OpenID Connect Core section 3.1.2.6 in use. */
export type AuthorizeErrorCode =
  | 'invalid_request'
  | 'invalid_scope'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported';

/** An error of an authorization request. Messages are fixed texts that never repeat input. */
export class AuthorizeFault extends Error {
  readonly code: AuthorizeErrorCode;
  /**
   * Where the error is sent; null before the redirect URI is verified, when only the user may see
   * it.
   */
  readonly back: ReturnAddress | null;

  constructor(code: AuthorizeErrorCode, message: string, back: ReturnAddress | null) {
    super(message);
    this.name = 'AuthorizeFault';
    this.code = code;
    this.back = back;
  }
}
