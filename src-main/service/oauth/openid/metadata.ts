import { applicationScopes } from '../applications/application-check.ts';
import { allowsPasswordGrant } from '../applications/sign-in-settings.ts';
import { idTokenKey } from '../../secrets/signing-key.ts';
import { deviceGrantType } from '../shared/device-grant-type.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ServiceContext, 'baseUrl' | 'settings'>;

/**
 * Authorization server metadata (RFC 8414 section 2). The issuer is the configured base URL,
 * whatever the request's `Host` says.
 */
export async function serverMetadata(deps: Deps): Promise<Readonly<Record<string, unknown>>> {
  const issuer = deps.baseUrl();
  const authentication = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    jwks_uri: `${issuer}/oauth/discovery/keys`,
    device_authorization_endpoint: `${issuer}/oauth/authorize_device`,
    scopes_supported: applicationScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: [
      'authorization_code',
      ...((await allowsPasswordGrant(deps)) ? ['password'] : []),
      'refresh_token',
      deviceGrantType,
    ],
    token_endpoint_auth_methods_supported: [...authentication, 'none'],
    revocation_endpoint_auth_methods_supported: [...authentication, 'none'],
    introspection_endpoint_auth_methods_supported: authentication,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** The server metadata with the additions of OpenID Connect Discovery 1.0 section 3. */
export async function openidConfiguration(deps: Deps): Promise<Readonly<Record<string, unknown>>> {
  return {
    ...(await serverMetadata(deps)),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [idTokenKey.algorithm],
    claim_types_supported: ['normal'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'at_hash',
      'nickname',
      'preferred_username',
      'name',
      'email',
      'email_verified',
      'groups',
    ],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}
