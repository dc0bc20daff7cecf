import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppUrl, isScreenPath, isServicePath } from '../../src-main/shell/page/app-url.ts';
import { externalUrl, serviceUrl } from '../../src-main/shell/window/external-url.ts';
import { isBrowserPage, leavingUrl } from '../../src-main/shell/window/leaving-url.ts';

describe('addresses of the window itself', () => {
  it.each(['app://local/', 'app://local/measurements/m1?tab=files#x'])('%s is ours', (url) => {
    expect(isAppUrl(url)).toBe(true);
  });

  it.each([
    'app://local.example/',
    'app://localhost/',
    'app://local:80/',
    'app://LOCAL/',
    'app://user@local/',
    'app://user:word@local/',
    'app:local',
    'app:///local',
    'apps://local/',
    'https://local/',
    'file:///local/',
    'data:text/html,app://local/',
    'javascript:app://local/',
    'about:blank',
    '',
    'app://',
  ])('%s is not', (url) => {
    expect(isAppUrl(url)).toBe(false);
  });

  it.each([
    ['/api', true],
    ['/api/v4/session', true],
    ['/measurements/m1/files', true],
    ['/users/sign_in', true],
    ['/-/health', true],
    ['/', false],
    ['/apish', false],
    ['/-', true],
    ['/-a', false],
    ['/lab/qmr/-/error_tracking/projects.json', true],
    ['/lab/-/error_tracking.json', true],
    ['/ui/-/x', false],
    ['/lab/qmr', false],
    ['/assets/api/x.js', false],
    ['/tokens', false],
  ])('%s belongs to the service: %s', (pathname, expected) => {
    expect(isServicePath(pathname)).toBe(expected);
  });

  it.each([
    ['/ui', true],
    ['/ui/', true],
    ['/ui/measurements/m1', true],
    ['/', false],
    ['/uix', false],
    ['/measurements/m1', false],
  ])('%s is a screen: %s', (pathname, expected) => {
    expect(isScreenPath(pathname)).toBe(expected);
  });
});

describe('E09 addresses that may leave the application', () => {
  it.each(['https://example.com/', 'https://example.com:8443/a?b#c', 'mailto:alice@example.com'])('%s may', (url) => {
    expect(externalUrl(url)).toBe(url);
  });

  it.each([
    'http://example.com/',
    'https://alice@example.com/',
    'https://alice:word@example.com/',
    'mailto:alice@example.com?subject=x&attach=/home/bob/.ssh/id_ed25519',
    'mailto:?Attachment=/etc/passwd',
    'file:///etc/passwd',
    'smb://server/share',
    'ftp://example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'ms-settings:x',
    'app://local/',
    '//example.com/',
    'https:',
    'https://',
    ' ',
  ])('%s may not', (url) => {
    expect(externalUrl(url)).toBeUndefined();
  });

  it('every allowed address has one of two schemes and no credentials', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl({ withFragments: true, withQueryParameters: true }),
          fc.string().map((tail) => `https://${tail}`),
        ),
        (text) => {
          const safe = externalUrl(text);
          if (safe === undefined) return;
          const url = new URL(safe);
          expect(['https:', 'mailto:']).toContain(url.protocol);
          expect(url.username + url.password).toBe('');
        },
      ),
    );
  });

  it('a path of the service stays with the service', () => {
    const base = 'http://127.0.0.1:7420';
    expect(serviceUrl(base, '/api/docs?a=1')).toBe('http://127.0.0.1:7420/api/docs?a=1');
    for (const path of ['//example.com/', '/\\example.com', 'https://example.com/', 'api/docs', ''])
      expect(serviceUrl(base, path), path).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (tail) => {
        const url = serviceUrl(base, `/${tail}`);
        if (url !== undefined) expect(new URL(url).origin).toBe(base);
      }),
    );
  });
});

describe('S109 pages that only a browser shows', () => {
  it.each([
    'app://local/oauth/authorize?client_id=1',
    'app://local/oauth',
    'app://local/users/sign_in?return_to=%2Fui%2F',
    'app://local/ui/../oauth/device',
  ])('%s is one', (url) => {
    expect(isBrowserPage(url)).toBe(true);
  });

  it.each([
    'app://local/ui/account',
    'app://local/oauthish',
    'app://local/api/v4/users',
    'app://elsewhere/oauth/authorize',
    'https://local/oauth/authorize',
    '',
  ])('%s is not', (url) => {
    expect(isBrowserPage(url)).toBe(false);
  });

  const base = 'http://127.0.0.1:7420';

  it('they leave for the base URL of the service, and only once it is known', () => {
    expect(leavingUrl('app://local/oauth/authorize?client_id=1&state=a%20b', base)).toBe(
      `${base}/oauth/authorize?client_id=1&state=a%20b`,
    );
    expect(leavingUrl('app://local/users/sign_in', base)).toBe(`${base}/users/sign_in`);
    expect(leavingUrl(`${base}/oauth/device`, base)).toBe(`${base}/oauth/device`);
    expect(leavingUrl('app://local/oauth/authorize', undefined)).toBeUndefined();
    expect(leavingUrl(`${base}/oauth/device`, undefined)).toBeUndefined();
    for (const url of [
      'app://local/ui/account',
      'app://local/api/v4/user',
      'app://local//example.com/oauth/x',
      'app://elsewhere/oauth/authorize',
    ])
      expect(leavingUrl(url, base), url).toBeUndefined();
  });
});

describe('S110 private-use schemes never reach the shell', () => {
  const base = 'http://127.0.0.1:7420';

  it.each([
    'com.example.app:/callback?code=1',
    'com.example.app://callback',
    'vscode://gitlab/callback',
    'app:/oauth/authorize',
    'urn:ietf:wg:oauth:2.0:oob',
    'http://127.0.0.1:7421/callback?code=1',
    'http://localhost:7420/oauth/authorize',
    'http://alice:word@127.0.0.1:7420/',
    'http://127.0.0.1:7420.example.com/',
    'https://127.0.0.1.nip.io@example.com/',
    'ws://127.0.0.1:7420/',
  ])('%s does not leave', (url) => {
    expect(leavingUrl(url, base)).toBeUndefined();
  });

  it('every address that leaves is https, mail, or the service itself', () => {
    const schemes = fc.oneof(
      fc.constantFrom(
        'com.example.app:',
        'app://local/oauth/',
        'app://local/',
        'http://',
        'https://',
        'mailto:',
        'javascript:',
        base,
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(schemes, fc.oneof(fc.string(), fc.webPath()), (scheme, tail) => {
        const safe = leavingUrl(scheme + tail, base);
        if (safe === undefined) return;
        const url = new URL(safe);
        expect(url.origin === base || url.protocol === 'https:' || url.protocol === 'mailto:').toBe(true);
        expect(url.username + url.password).toBe('');
      }),
    );
  });
});
