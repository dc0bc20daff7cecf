import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkRoute, linkRouteOfLine } from '../../src-main/shell/page/deep-links.ts';
import { PageRoutes } from '../../src-main/shell/page/page-routes.ts';

describe('E17 links to Benchport', () => {
  it.each([
    ['benchport://measurements', '/measurements'],
    ['benchport://measurements/', '/measurements'],
    ['benchport://measurements/qmr-2026-114', '/measurements/qmr-2026-114'],
    ['benchport://transfers', '/transfers'],
    ['benchport://transfers/7', '/transfers/7'],
    ['benchport://servers/12/', '/servers/12'],
    ['benchport://sharing', '/sharing'],
    ['benchport://errors', '/errors'],
    ['benchport://settings', '/settings'],
    ['benchport://account/notifications', '/account/notifications'],
    ['benchport://account/notifications/7', '/account/notifications/7'],
    ['benchport://servers?add=https%3A%2F%2Flab.example%2Fdata', '/servers?add=https%3A%2F%2Flab.example%2Fdata'],
    ['benchport://servers/?add=http://192.168.1.20:7420', '/servers?add=http%3A%2F%2F192.168.1.20%3A7420%2F'],
  ])('%s leads to %s', (link, route) => {
    expect(linkRoute(link)).toBe(route);
  });

  it.each([
    '',
    'benchport:',
    'benchport://',
    'benchport:measurements',
    'Benchport://measurements',
    'benchport:///measurements',
    'benchport://measurements/remove?id=m1',
    'benchport://measurements/a/b',
    'benchport://measurements/..',
    'benchport://measurements/%2e%2e',
    'benchport://measurements/a%2fb',
    'benchport://measurements/a\nb',
    'benchport://measurements/ä',
    `benchport://measurements/${'x'.repeat(129)}`,
    'benchport://measurements#files',
    'benchport://user@measurements',
    'benchport://measurements:80/',
    'benchport://transfers/0',
    'benchport://transfers/-1',
    'benchport://transfers/1e3',
    'benchport://transfers/7?action=cancel',
    'benchport://sharing?on=true',
    'benchport://settings/x',
    'benchport://users',
    'benchport://first-run',
    'benchport://servers?token=x',
    'benchport://servers?add=',
    'benchport://servers?add=lab.example',
    'benchport://servers?add=ftp://lab.example',
    'benchport://servers?add=file:///etc/passwd',
    'benchport://servers?add=javascript:alert(1)',
    'benchport://servers?add=https://alice:secret@lab.example',
    'benchport://servers?add=https://alice@lab.example',
    'benchport://servers?add=https://:secret@lab.example',
    'benchport://servers?add=https://lab.example/%23x',
    'benchport://servers?add=https://lab.example?token=x',
    'benchport://servers?add=%zz',
    `benchport://servers?add=https://${'x'.repeat(2300)}`,
    'https://benchport.example/measurements',
    'file:///etc/passwd',
  ])('%j is ignored', (link) => {
    expect(linkRoute(link)).toBeUndefined();
  });

  it('no text makes it fail or leads to anything but a screen', () => {
    const tail = fc.oneof(fc.string(), fc.webUrl(), fc.constantFrom('measurements/', 'transfers/', 'servers?add='));
    fc.assert(
      fc.property(fc.array(tail, { maxLength: 3 }), (parts) => {
        const route = linkRoute(`benchport://${parts.join('')}`);
        if (route !== undefined) expect(route).toMatch(/^\/[a-z]+(\/[A-Za-z0-9._-]+|\?add=[A-Za-z0-9%._~!*'()-]+)?$/);
      }),
    );
  });

  it('on a command line the last link counts, and other arguments are ignored', () => {
    expect(linkRouteOfLine(['/usr/bin/benchport', '--data=/d', 'benchport://transfers', 'benchport://sharing'])).toBe(
      '/sharing',
    );
    expect(
      linkRouteOfLine(['/usr/bin/benchport', 'benchport://transfers', 'benchport://transfers/7?action=cancel']),
    ).toBeUndefined();
    expect(linkRouteOfLine(['/usr/bin/benchport', '/measurements', '--url=benchport://sharing'])).toBeUndefined();
    expect(linkRouteOfLine([])).toBeUndefined();
  });
});

describe('delivery to the page', () => {
  it('waits until the page listens, keeps only the newest link, and waits again after a reload', () => {
    const sent: string[] = [];
    const routes = new PageRoutes((route) => sent.push(route));
    routes.open('/transfers');
    routes.open('/sharing');
    expect(sent).toEqual([]);
    routes.listening();
    expect(sent).toEqual(['/sharing']);
    routes.open('/transfers/7');
    routes.gone();
    routes.open('/tokens');
    expect(sent).toEqual(['/sharing', '/transfers/7']);
    routes.listening();
    routes.listening();
    expect(sent).toEqual(['/sharing', '/transfers/7', '/tokens']);
  });
});
