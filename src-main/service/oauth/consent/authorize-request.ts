import { redirectUriFault } from '../../contract/redirect-uri-fault.ts';
import { AuthorizeFault, type AuthorizeErrorCode } from './authorize-fault.ts';
import type { AuthorizeParameters, ParameterName } from './authorize-parameters.ts';
import type { ResponseMode, ReturnAddress } from './authorize-redirect.ts';
import { grantableScopes } from '../clients/authorize-scopes.ts';
import { isRegisteredRedirect, isWebUri } from './redirect-uri.ts';
import { signInSettings } from '../applications/sign-in-settings.ts';
import type { Application } from '../shared/types.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

/** A validated authorization request that may be shown to the user. */
export interface AuthorizeRequest {
  readonly application: Application;
  readonly responseType: 'code' | 'token';
  readonly back: ReturnAddress;
  readonly scopes: readonly string[];
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly prompt: ReadonlySet<string>;
  /** Maximum age of the sign-in in seconds; 0 requires a fresh one. */
  readonly maxAge: number | null;
  readonly idTokenHint: string | null;
  /** When this request sent its user to sign in, in milliseconds since 1970. */
  readonly signedInSince: number | null;
}

type Deps = Pick<OAuthStores, 'applications'> & Pick<ServiceContext, 'settings'>;

const maxStateLength = 4096;
const maxParameterLength = 2000;
// U+FFFD replaces invalid UTF-8 when an address is decoded.
const replacementCharacter = '\uFFFD';
const prompts = new Set(['none', 'login', 'consent', 'select_account']);
const challenge = /^[A-Za-z0-9_-]{43}$/;

/**
 * Validates an authorization request (RFC 6749 section 4.1.1, RFC 7636, OpenID Connect Core section
 * 3.1.2.1). Client and redirect URI are checked first: nothing may be redirected before they are
 * known to belong together (RFC 9700 section 4.11.1).
 *
 * @throws AuthorizeFault
 */
export async function readAuthorizeRequest(services: Deps, parameters: AuthorizeParameters): Promise<AuthorizeRequest> {
  const application = await clientOf(services, parameters);
  const redirectUri = await redirectOf(services, parameters, application);
  const back = returnAddress(parameters, redirectUri);
  const refuse = (code: AuthorizeErrorCode, message: string) => new AuthorizeFault(code, message, back);

  if (parameters.anyRepeated) throw refuse('invalid_request', 'A parameter stands in the request more than once.');
  if (Buffer.byteLength(parameters.get('state') ?? '') > maxStateLength)
    throw refuse('invalid_request', 'The state is longer than 4096 bytes.');
  // An undecodable state could not be returned unchanged.
  if (parameters.get('state')?.includes(replacementCharacter))
    throw refuse('invalid_request', 'The state is not valid UTF-8.');
  for (const name of ['scope', 'nonce', 'prompt', 'response_type', 'response_mode'] as const) {
    if ((parameters.get(name) ?? '').length > maxParameterLength)
      throw refuse('invalid_request', `The parameter ${name} is too long.`);
  }
  for (const [name, code] of unsupported)
    if (parameters.get(name) !== undefined) throw refuse(code, `The parameter ${name} is not supported.`);

  const responseType = parameters.get('response_type');
  if (responseType === undefined) throw refuse('invalid_request', 'The parameter response_type is missing.');
  if (responseType !== 'code' && !(responseType === 'token' && application.legacyImplicit)) {
    throw refuse('unsupported_response_type', 'This client can use the response type code.');
  }
  const mode = parameters.get('response_mode');
  if (mode !== undefined && mode !== back.mode)
    throw refuse('invalid_request', 'This response_mode cannot be used here.');

  const scopes = grantableScopes(parameters.get('scope') ?? '', application);
  if (scopes === null)
    throw refuse(
      'invalid_scope',
      'A scope is missing, unknown, or not open to this client. Separate scopes by spaces.',
    );

  const prompt = new Set((parameters.get('prompt') ?? '').split(' ').filter((one) => one !== ''));
  if ([...prompt].some((one) => !prompts.has(one)) || (prompt.has('none') && prompt.size > 1)) {
    throw refuse('invalid_request', 'The prompt can be none alone, or any of login, consent and select_account.');
  }
  const maxAge = numberOf(parameters, 'max_age');
  if (Number.isNaN(maxAge)) throw refuse('invalid_request', 'The max_age must be a whole number of seconds.');
  return {
    application,
    responseType,
    back,
    scopes,
    codeChallenge: responseType === 'code' ? codeChallengeOf(parameters, application, refuse) : null,
    nonce: parameters.get('nonce') ?? null,
    prompt,
    maxAge,
    idTokenHint: parameters.get('id_token_hint') ?? null,
    signedInSince: numberOf(parameters, 'signed_in_since'),
  };
}

const unsupported = [
  ['request', 'request_not_supported'],
  ['request_uri', 'request_uri_not_supported'],
  ['registration', 'registration_not_supported'],
] as const;

async function clientOf(services: Deps, parameters: AuthorizeParameters): Promise<Application> {
  if (parameters.structured)
    throw unreturnable('A parameter of the request has a structure, but each must be a plain text.');
  const clientId = parameters.get('client_id');
  if (clientId === undefined)
    throw unreturnable('The request does not say once which application it is for (client_id).');
  const application = await services.applications.byClientId(clientId);
  if (!application)
    throw unreturnable('The application that sent you here is not registered on this server (client_id).');
  return application;
}

async function redirectOf(services: Deps, parameters: AuthorizeParameters, application: Application): Promise<string> {
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined)
    throw unreturnable('The request does not say once where to send you back to (redirect_uri).');
  if (!isRegisteredRedirect(application.redirectUris, redirectUri)) {
    throw unreturnable(
      'The address to send you back to is not one that is registered for this application (redirect_uri).',
    );
  }
  // A registered redirect URI may be forbidden by now: plain http, after development redirects were
  // switched off.
  if (redirectUriFault(redirectUri, (await signInSettings(services)).development_redirects) !== null) {
    throw unreturnable(
      'The address to send you back to is not one that this server sends anybody to (redirect_uri). It must use https.',
    );
  }
  return redirectUri;
}

function unreturnable(message: string): AuthorizeFault {
  return new AuthorizeFault('invalid_request', message, null);
}

// The default mode is the query, or the fragment for a response with a token, because browsers do
// not send fragments to servers (OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1).
// An unusable mode is refused, and the error is sent in the default mode.
function returnAddress(parameters: AuthorizeParameters, redirectUri: string): ReturnAddress {
  const responseTypes = (parameters.get('response_type') ?? '').split(' ');
  const withToken = responseTypes.includes('token') || responseTypes.includes('id_token');
  const wanted = parameters.get('response_mode');
  const usableModes: readonly ResponseMode[] = [
    ...(withToken ? [] : ['query' as const]),
    'fragment',
    ...(isWebUri(redirectUri) ? ['form_post' as const] : []),
  ];
  const mode = usableModes.find((one) => one === wanted) ?? (withToken ? 'fragment' : 'query');
  const state = parameters.get('state');
  const returnable =
    state !== undefined && Buffer.byteLength(state) <= maxStateLength && !state.includes(replacementCharacter);
  return { redirectUri, mode, state: returnable ? state : null };
}

function codeChallengeOf(
  parameters: AuthorizeParameters,
  application: Application,
  refuse: (code: AuthorizeErrorCode, message: string) => AuthorizeFault,
): string | null {
  const codeChallenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (codeChallenge === undefined) {
    if (!application.confidential)
      throw refuse('invalid_request', 'A public client must send a code_challenge (PKCE).');
    if (method !== undefined) throw refuse('invalid_request', 'The code_challenge is missing.');
    return null;
  }
  // RFC 7636 section 4.3 defaults to plain, which protects nothing once the request was observed.
  if (method !== 'S256') throw refuse('invalid_request', 'The code_challenge_method must be S256.');
  if (!challenge.test(codeChallenge))
    throw refuse('invalid_request', 'The code_challenge must be 43 base64url characters.');
  return codeChallenge;
}

function numberOf(parameters: AuthorizeParameters, name: ParameterName): number | null {
  const text = parameters.get(name);
  if (text === undefined) return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}
