import { describe, expect, test } from 'vitest';
import { parseAllowedHost } from '../../../src-main/service/http-client/allowed-hosts.ts';

describe('the list', () => {
  test.each([
    ['Sentry.Lab.', 'sentry.lab'],
    [' sentry.lab:9000 ', 'sentry.lab:9000'],
    ['0x7f.1', '127.0.0.1'],
    ['10.1.0.0/16:80', '10.1.0.0/16:80'],
    ['FD00::/8', 'fd00::/8'],
    ['[fd12::7]:9000', '[fd12::7]:9000'],
    ['[fd12::7]', 'fd12::7'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('%j is kept as %j', (entered, text) => expect(parseAllowedHost(entered).text).toBe(text));

  test.each([
    ['', /neither/],
    ['https://sentry.lab', /without a scheme/],
    ['sentry.lab/api', /without a scheme or a path/],
    ['10.1/16', /neither/],
    ['*.lab', /neither/],
    ['a b', /neither/],
    ['user@sentry.lab', /neither/],
    ['sentry.lab:0', /port/],
    ['sentry.lab:70000', /port/],
    ['10.0.0.0/33', /fixed bits/],
    ['10.0.0.0/', /fixed bits/],
    ['fd00::/129', /fixed bits/],
    ['fe80::1%eth0', /fixed bits/],
    ['169.254.169.254', /never be allowed/],
    ['169.254.0.0/16', /never be allowed/],
    ['0.0.0.0/0', /never be allowed/],
    ['::/0', /never be allowed/],
    ['::ffff:10.0.0.1', /leads to 10\.0\.0\.1/],
    [`${'a'.repeat(260)}.lab`, /neither/],
  ])('%j is refused', (entered, words) => expect(() => parseAllowedHost(entered)).toThrow(words));
});
