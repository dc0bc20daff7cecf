import { describe, expect, test } from 'vitest';
import { redirectUriFault } from '../../../../src-main/service/contract/redirect-uri-fault.ts';
import { destinationOf, isRegisteredRedirect } from '../../../../src-main/service/oauth/consent/redirect-uri.ts';

describe('S05 a redirect URI is compared as text', () => {
  const registered = ['https://app.example/callback'];
  test('identical text matches', () => {
    expect(isRegisteredRedirect(registered, 'https://app.example/callback')).toBe(true);
    expect(isRegisteredRedirect(['com.example.app:/callback', ...registered], 'https://app.example/callback')).toBe(
      true,
    );
  });
  test.each([
    'https://app.example/callback/extra',
    'https://app.example/callback?extra=1',
    'https://app.example/callback?',
    'https://app.example/callback/',
    'https://app.example/callback#',
    'https://APP.example/callback',
    'HTTPS://app.example/callback',
    'https://app.example/%63allback',
    'https://app.example/x/../callback',
    'https://app.example/./callback',
    'https://app.example\\callback',
    'https://app.example/call\tback',
    ' https://app.example/callback',
    'https://app.example/callback\n',
    'https://\u0430pp.example/callback',
    'https://app.example:443/callback',
    'https://app.example./callback',
    'https://user@app.example/callback',
    'https://app.example@evil.example/callback',
    'https://evil.example/https://app.example/callback',
    'http://app.example/callback',
    'https://app.example',
    '',
  ])('%j does not match', (sent) => {
    expect(isRegisteredRedirect(registered, sent)).toBe(false);
  });
});

describe('S06 S07 S08 on the loopback any port matches', () => {
  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:54321/callback'],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1:54321/callback'],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1/callback'],
    ['http://127.0.0.1/cb?x=1', 'http://127.0.0.1:1/cb?x=1'],
    ['http://[::1]/callback', 'http://[::1]:54321/callback'],
    ['http://localhost/callback', 'http://localhost:54321/callback'],
    ['http://127.0.0.1', 'http://127.0.0.1:65535'],
    ['https://127.0.0.1/callback', 'https://127.0.0.1:54321/callback'],
  ])('%s accepts %s', (registered, sent) => {
    expect(isRegisteredRedirect([registered], sent)).toBe(true);
  });

  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:54321/other'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:54321/callback?x=1'],
    ['http://127.0.0.1/cb?x=1', 'http://127.0.0.1:1/cb?x=2'],
    ['http://127.0.0.1/callback', 'https://127.0.0.1:54321/callback'],
    ['http://127.0.0.1/callback', 'http://user@127.0.0.1:54321/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:54321@evil.example/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:54321/callback#'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:54321\\@evil.example/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1.evil.example/callback'],
    ['http://127.0.0.1/callback', 'http://[::1]:54321/callback'],
    ['http://[::1]/callback', 'http://127.0.0.1:54321/callback'],
    ['http://127.0.0.1/callback', 'http://localhost:54321/callback'],
    ['http://localhost/callback', 'http://127.0.0.1:54321/callback'],
    ['http://127.0.0.1/callback', 'http://127.1:54321/callback'],
    ['http://127.0.0.1/callback', 'http://2130706433:54321/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:65536/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:0/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:/callback'],
    ['http://127.0.0.1', 'http://127.0.0.1:54321/'],
    ['http://127.0.0.1/', 'http://127.0.0.1:54321'],
    ['http://localhost.example/callback', 'http://localhost.example:54321/callback'],
    ['https://app.example/callback', 'https://app.example:8443/callback'],
    ['http://127.0.0.1/', 'http://127.0.0.1:1/\u00e4'],
    ['http://127.0.0.1/a b', 'http://127.0.0.1:1/a b'],
  ])('%s does not accept %s', (registered, sent) => {
    expect(isRegisteredRedirect([registered], sent)).toBe(false);
  });
});

describe('S09 S10 redirect URIs that can be registered', () => {
  test.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/callback?tenant=1',
    'http://127.0.0.1',
    'http://127.0.0.1:8080/callback',
    'http://[::1]:8080/callback',
    'http://localhost:3000/auth/callback',
    'com.example.app:/callback',
    'com.example.app://callback',
  ])('%s', (uri) => {
    expect(redirectUriFault(uri, false)).toBeNull();
  });

  test.each([
    ['https://app.example/callback#top', 'fragment'],
    ['https://app.example/callback#', 'fragment'],
    ['http://app.example/callback', 'https'],
    ['http://127.0.0.1.evil.example/callback', 'https'],
    ['http://10.0.0.7/callback', 'https'],
    ['https://user:word@app.example/callback', 'user name'],
    ['https:///callback', 'host'],
    ['https:callback', 'host'],
    ['https://app.example:99999/callback', 'host'],
    ['/callback', 'scheme'],
    ['app.example/callback', 'scheme'],
    ['myapp://callback', 'scheme'],
    ['myapp:/callback', 'scheme'],
    ['com.example.app:callback', 'path'],
    ['com.example.app:', 'path'],
    ['javascript:alert(1)', 'scheme'],
    ['JavaScript://app.example/%0aalert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['vbscript:x', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['blob:https://app.example/x', 'scheme'],
    ['about:blank', 'scheme'],
    ['https://app.example/call back', 'percent-encoded'],
    ['https://app.example\\callback', 'percent-encoded'],
    ['https://app.example/\nhttps://evil.example/', 'percent-encoded'],
    ['https://\u0430pp.example/callback', 'percent-encoded'],
    ['https://app.example/%zz', 'percent-encoded'],
    [`https://app.example/${'x'.repeat(2000)}`, '2000'],
    ['', 'percent-encoded'],
  ])('not %j', (uri, word) => {
    expect(redirectUriFault(uri, false)).toContain(word);
  });

  test('plain http beyond the loopback is for development only', () => {
    expect(redirectUriFault('http://app.example/callback', true)).toBeNull();
    expect(redirectUriFault('javascript:alert(1)', true)).not.toBeNull();
    expect(redirectUriFault('http://app.example/callback#x', true)).not.toBeNull();
  });
});

test('users are told where they will be sent', () => {
  expect(destinationOf('https://app.example:8443/callback?x=1')).toBe('app.example:8443');
  expect(destinationOf('http://[::1]:5000/callback')).toBe('[::1]:5000');
  expect(destinationOf('com.example.app:/callback')).toBe('com.example.app:');
});
