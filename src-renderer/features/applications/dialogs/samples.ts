import type { OAuthApplication } from '../../../api/requests/types.ts';
import { curlTrust, shellWord } from '../../../../src-shared/format/commands.ts';

type Client = Pick<OAuthApplication, 'client_id' | 'confidential' | 'scopes' | 'redirect_uris'>;

/** A value in a URL within double quotes of a shell. */
const inUrl = (text: string): string => encodeURIComponent(text).replaceAll('!', '%21').replaceAll("'", '%27');
/** Curl's argument for a form's field. */
const field = (name: string, value: string): string => `--data-urlencode ${shellWord(`${name}=${value}`)}`;
// A backslash at the end of a line continues the command.
const command = (...parts: readonly string[]): string => parts.join(' \\\n  ');

/**
 * Creates the three values of RFC 7636 and prints the address that a user opens. The verifier stays
 * in a shell variable, for the second sample.
 */
export function pkceSample(base: string, client: Client, redirectUri: string): string {
  const query = [
    `client_id=${client.client_id}`,
    `redirect_uri=${inUrl(redirectUri)}`,
    'response_type=code',
    `scope=${client.scopes.map(inUrl).join('+')}`,
    'state=$STATE',
    'code_challenge=$CHALLENGE',
    'code_challenge_method=S256',
  ];
  return [
    'STATE=$(openssl rand -hex 16)',
    'VERIFIER=$(openssl rand -hex 32)',
    `CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')`,
    `echo "${base}/oauth/authorize?${query.join('&')}"`,
  ].join('\n');
}

/**
 * Exchanges the authorization code for tokens. The secret is read without echo, so that it does not
 * appear in the shell's history.
 * @param pin see `curlTrust`.
 */
export function tokenSample(base: string, client: Client, redirectUri: string, pin: string | null): string {
  return [
    'read -r CODE',
    ...(client.confidential ? ['read -rs CLIENT_SECRET'] : []),
    command(
      `curl -f${curlTrust(base, pin)} ${shellWord(`${base}/oauth/token`)}`,
      '-d grant_type=authorization_code',
      `-d client_id=${client.client_id}`,
      ...(client.confidential ? ['--data-urlencode "client_secret=$CLIENT_SECRET"'] : []),
      '--data-urlencode "code=$CODE" -d "code_verifier=$VERIFIER"',
      field('redirect_uri', redirectUri),
    ),
  ].join('\n');
}

/**
 * Requests a device code that the user enters in a browser, and then the tokens (RFC 8628).
 * @param pin see `curlTrust`.
 */
export function deviceSample(base: string, client: Client, pin: string | null): string {
  return [
    command(
      `curl -f${curlTrust(base, pin)} ${shellWord(`${base}/oauth/authorize_device`)}`,
      `-d client_id=${client.client_id}`,
      field('scope', client.scopes.join(' ')),
    ),
    'read -r DEVICE_CODE',
    ...(client.confidential ? ['read -rs CLIENT_SECRET'] : []),
    command(
      `curl${curlTrust(base, pin)} ${shellWord(`${base}/oauth/token`)}`,
      `-d client_id=${client.client_id}`,
      ...(client.confidential ? ['--data-urlencode "client_secret=$CLIENT_SECRET"'] : []),
      '-d grant_type=urn:ietf:params:oauth:grant-type:device_code',
      '-d "device_code=$DEVICE_CODE"',
    ),
  ].join('\n');
}
