import type { ReturnAddress } from './authorize-redirect.ts';

/** The error codes of RFC 6749 section 4.1.2.1 and of OpenID Connect Core section 3.1.2.6 that are answered here. */
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

/** Why a request for authorization cannot go on. The words are fixed: nothing that was sent is repeated. */
export class AuthorizeFault extends Error {
  readonly code: AuthorizeErrorCode;
  /** Where the client is told; null while it is not known where its answers may go: then only the user is told. */
  readonly back: ReturnAddress | null;

  constructor(code: AuthorizeErrorCode, message: string, back: ReturnAddress | null) {
    super(message);
    this.name = 'AuthorizeFault';
    this.code = code;
    this.back = back;
  }
}
