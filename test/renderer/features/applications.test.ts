import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  redirectUrisOf,
  reportRedirectUris,
} from '../../../src-renderer/features/applications/dialogs/redirect-uris.ts';
import { deviceSample, pkceSample, tokenSample } from '../../../src-renderer/features/applications/dialogs/samples.ts';
import { scopesOfApplications } from '../../../src-renderer/features/scopes/scope-words.ts';
import { applicationScopes } from '../../../src-main/service/oauth/applications/application-check.ts';

const base = 'https://lab.example/bench';
const client = { client_id: 'ab'.repeat(32), confidential: true, scopes: ['read_api', 'openid'], redirect_uris: [] };

test('redirect URIs are one a line; blanks and repetitions are ignored', () => {
  expect(redirectUrisOf('  https://a.example/x \n\n\thttps://b.example/y\nhttps://a.example/x\n')).toEqual([
    'https://a.example/x',
    'https://b.example/y',
  ]);
});

test.each([
  ['https://a.example/cb#top', 'fragment'],
  ['/callback', 'no scheme'],
  ['https:///callback', 'no host'],
  ['javascript:alert(1)', 'scheme'],
  ['myapp:/callback', 'scheme'],
  ['com.example.app:callback', 'needs a path'],
  ['https://alice@a.example/', 'user name'],
  ['https://a.example/ü', 'percent-encoded'],
])('%s is refused while typing, with the line', (uri, word) => {
  const { faults, doubts } = reportRedirectUris(`https://a.example/ok\n${uri}`);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(word);
  expect(faults[0]).toMatch(/^Line 2: /);
  expect(doubts).toEqual([]);
});

test('plain http is doubtful, except on the loopback', () => {
  expect(reportRedirectUris('http://lab.example/cb')).toMatchObject({
    faults: [],
    doubts: [expect.stringContaining('unless an administrator')],
  });
  expect(reportRedirectUris('http://127.0.0.1\nhttp://[::1]/cb\nhttp://localhost/cb\ncom.example.app:/cb')).toEqual({
    faults: [],
    doubts: [],
  });
});

test('a repetition and too many are reported', () => {
  expect(reportRedirectUris('https://a.example/x\nhttps://a.example/x').faults).toEqual([
    'Line 2 is the same as line 1.',
  ]);
  const many = Array.from({ length: 51 }, (_, index) => `https://a.example/${index}`).join('\n');
  expect(reportRedirectUris(many).faults).toEqual(['At most 50 redirect URIs; these are 51.']);
});

test('the screen offers the scopes that the service gives to applications', () => {
  expect([...scopesOfApplications].toSorted()).toEqual([...applicationScopes].toSorted());
});

test('the PKCE sample prints an address with a challenge of RFC 7636 and accepts any redirect URI', () => {
  const redirectUri = "com.example.app:/it's/$(reboot)!`x`";
  const out = execFileSync('bash', ['-c', `${pkceSample(base, client, redirectUri)}\necho "$VERIFIER"`], {
    encoding: 'utf8',
  });
  const [address = '', verifier = ''] = out.trim().split('\n');
  const query = new URL(address).searchParams;
  // An interactive shell would expand it from its history.
  expect(pkceSample(base, client, redirectUri)).not.toContain('!');
  expect(address.startsWith(`${base}/oauth/authorize?`)).toBe(true);
  expect(verifier).toMatch(/^[0-9a-f]{64}$/);
  expect(query.get('code_challenge')).toBe(createHash('sha256').update(verifier).digest('base64url'));
  expect(query.get('redirect_uri')).toBe(redirectUri);
  expect(query.get('scope')).toBe('read_api openid');
  expect(query.get('state')).toMatch(/^[0-9a-f]{32}$/);
});

/** The arguments of curl, as the shell parses the sample. */
function argumentsOf(sample: string, typed: readonly string[]): string[] {
  const spy = String.raw`curl() { printf '%s\n' "$@"; }; `;
  const input = typed.map((line) => `${line}\n`).join('');
  return execFileSync('bash', ['-c', spy + sample], { encoding: 'utf8', input })
    .trim()
    .split('\n');
}

test('the curl samples quote every value, and a public application has no secret to type', () => {
  const sent = argumentsOf(`VERIFIER=v\n${tokenSample(base, client, 'https://a.example/it’s', null)}`, [
    'the-code',
    'bpas-1 & more',
  ]);
  expect(sent).toEqual(
    expect.arrayContaining([
      'code=the-code',
      'client_secret=bpas-1 & more',
      'redirect_uri=https://a.example/it’s',
      'code_verifier=v',
    ]),
  );
  const open = { ...client, confidential: false };
  expect(tokenSample(base, open, 'https://a.example/', null)).not.toContain('SECRET');
  expect(argumentsOf(deviceSample(base, open, null), ['the-device-code'])).toEqual(
    expect.arrayContaining(['scope=read_api openid', 'device_code=the-device-code']),
  );
  expect(deviceSample(base, client, null)).toContain('CLIENT_SECRET');
  // A self-signed certificate is pinned by its key in each call.
  const pinned = argumentsOf(deviceSample('https://192.168.4.20:7421', open, 'sha256//abc='), ['the-device-code']);
  expect(pinned.filter((word) => word === 'sha256//abc=')).toHaveLength(2);
});
