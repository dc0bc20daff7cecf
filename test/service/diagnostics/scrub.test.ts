import os from 'node:os';
import { describe, expect, test } from 'vitest';
import { scrubLogLine } from '../../../src-main/service/diagnostics/scrub-log-line.ts';
import { scrubText, withoutPaths } from '../../../src-main/service/diagnostics/scrub-text.ts';
import { urlForLog } from '../../../src-main/service/logging/logging.ts';

const hex = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const token = 'bppat-7Yk2mQ9xV4cTz8WfR1nLb6HsJ3pDg5Ae0uK7iX';
const pem = `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----`;

describe('removes', () => {
  test.each([
    ['a personal access token', `used ${token} twice`, token],
    ['a client secret', `bpas-${hex}`, hex],
    ['an access token', `refused ${hex}.`, hex],
    ['the key of a DSN', 'https://bpk_0123456789abcdef0123456789abcdef@bench.example/api/4', 'bpk_'],
    ['an old DSN', 'https://public:verysecret@bench.example/4', 'verysecret'],
    ['a header', 'authorization: Bearer abc.def-ghi', 'abc.def-ghi'],
    ['Basic credentials', 'Basic YWxpY2U6c2VjcmV0', 'YWxp'],
    ['a cookie', 'cookie: benchport_session=tiny; theme=dark', 'tiny'],
    ['a cookie alone', '__Host-benchport_session=tiny; Path=/', 'tiny'],
    ['a password as JSON', '{"password":"violet-Quagga 71","x":1}', 'Quagga'],
    ['a password as JSON within JSON', '{\\"new_password\\":\\"violet Quagga\\"}', 'Quagga'],
    ['a password in an address', 'https://alice:quagga@server.example/', 'quagga'],
    ['a value of a query', '/oauth/authorize?state=tiny&code=small', 'small'],
    ['a password in words', 'the password is hunter2 today', 'hunter2'],
    ['a code in words', 'code 123456 was refused', '123456'],
    ['a key in an environment', 'BENCHPORT_API_KEY=tiny', 'tiny'],
    ['a private key', `x ${pem} y`, 'MIIE'],
    ['a private key on one line', JSON.stringify(pem), 'MIIE'],
    ['a private key that was cut', pem.slice(0, 50), 'MIIE'],
    ['a signed token', 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'c2lnbmF0dXJl'],
    ['the key of an authenticator', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 'JBSWY'],
    ['a sealed secret', 'AbCd1234EfGh5678IjKl90MnOpQrStUvWxYz+/AbCd==', 'EfGh'],
    ['tokens of others', 'glpat-abcdefghijklmnop ghp_abcdefghijklmnop sntrys_abcdefghijklm', 'abcdefgh'],
    ['a mail address', 'to alice@lab.example now', 'alice@'],
    ['the home directory', `open ${os.homedir()}/x`, os.homedir()],
    ['what is known, whatever it looks like', 'plain words here', 'plain words'],
  ])('%s', (_what, text, secret) => {
    expect(scrubText(text, ['plain words'])).not.toContain(secret);
  });
});

test.each([
  'Error: ENOENT: no such file (code: "ENOENT")',
  'at Object.<anonymous> (out/service/service.js:12:34)',
  'registrationRequestFromTheWindowOfToday failed after 12345 ms',
  '2026-11-22T03:20:00.000Z listening on port 7420',
  'tokens: 12, sessions: 3, state: running',
])('keeps: %s', (text) => {
  expect(scrubText(text)).toBe(text);
});

test('a log line keeps useful fields, and names no people or files', () => {
  const line = JSON.stringify({
    level: 50,
    time: '2026-11-22T03:20:00.000Z',
    reqId: '1d0f9b9e-0000-4000-8000-000000000000',
    method: 'GET',
    url: '/measurements/qmr-114/files/3?access_token=',
    user: 'alice',
    address: '192.0.2.7',
    path: '/data/alice/raw',
    err: {
      type: 'Error',
      code: 'ENOENT',
      message: "ENOENT: open '/data/alice/raw/a b.bin'",
      stack: "Error: open '/data/alice'\n    at read (/opt/benchport/out/x.js:1:2)",
    },
    msg: 'the file "run 7/spectrum.raw" cannot be read',
  });
  const shown = scrubLogLine(line, []);
  expect(JSON.parse(shown)).toEqual({
    level: 50,
    time: '2026-11-22T03:20:00.000Z',
    msg: 'the file "[path]" cannot be read',
    reqId: '1d0f9b9e-0000-4000-8000-000000000000',
    method: 'GET',
    url: '/measurements/:name/files/3?access_token=',
    err: { type: 'Error', code: 'ENOENT', message: "ENOENT: open '[path]'", stack: ['read out/x.js:1:2'] },
  });
  expect(scrubLogLine('not JSON: alice', [])).toBe('[a line that is not of the log]');
});

// Strangers cause log lines too; with backtracking patterns this would take minutes.
test.each(['a.', '-H', 'x-session-', 'token\\', 'eyJ-', "'/"])(
  'long text that almost fits is read once: %j',
  (piece) => {
    expect(withoutPaths(scrubText(`'${piece.repeat(100_000 / piece.length)}\u0001`))).toBeTypeOf('string');
  },
);

test('the log keeps the beginning of a URL', () => {
  expect(urlForLog(`/${'long/'.repeat(3000)}?a=1`)).toHaveLength(2000);
});
