import { execFileSync } from 'node:child_process';
import type { X509Certificate } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import https from 'node:https';
import path from 'node:path';
import { connect } from 'node:tls';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { run } from '../service/run-program.ts';
import { commandLine } from './command-line.ts';
import { useWorld } from '../service/use-service.ts';
import { certificateArguments } from '../service/certificate-arguments.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const cli = useWorld(commandLine);
let token: string;

beforeAll(async () => {
  await cli.runHere(['user', 'create', 'alice', '--admin']);
  const source = path.join(cli.dir, 'run');
  await mkdir(source);
  await writeFile(path.join(source, 'trace.bin'), Buffer.alloc(100_000, 7));
  await cli.runHere(['measurement', 'register', source, '--id', 'run']);
  token = (
    await cli.runHere(['token', 'create', '--user', 'alice', '--name', 'x', '--scopes', 'read_measurement'])
  ).stdout.trim();
});

const listening = (stdout: string) =>
  JSON.parse(stdout.split('\n', 1)[0] ?? '') as { url: string; certificate_sha256?: string };

/** The certificate that a server presents. */
function shown(url: string): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate) resolve(certificate);
      else reject(new Error('no certificate'));
    });
    socket.once('error', reject);
  });
}

describe('HTTPS', () => {
  test('a self-signed certificate is shown with its fingerprint, works with curl, and stays the same', async () => {
    const first = await cli.serve(['--tls-self-signed']);
    const { url, certificate_sha256: fingerprint } = listening(first.output().stdout);
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    // The two outputs come by pipes of their own.
    await vi.waitFor(() => expect(first.output().stderr).toMatch(/"Listening on 127\.0\.0\.1:\d+"/));
    const certificate = await shown(url);
    expect(certificate.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(fingerprint);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.ca).toBe(false);

    const file = path.join(cli.dataDir, 'tls', 'certificate.pem');
    const got = await run('curl', [
      '--silent',
      '--show-error',
      '--cacert',
      file,
      '-H',
      `Authorization: Bearer ${token}`,
      '-r',
      '10-19',
      `${url}/measurements/run/files/0`,
    ]);
    expect(got).toMatchObject({ status: 0, stdout: '\u0007'.repeat(10) });
    expect((await run('curl', ['--silent', `${url}/-/health`])).status).toBe(60);
    expect((await stat(path.join(cli.dataDir, 'tls', 'key.pem'))).mode & 0o777).toBe(0o600);
    first.kill('SIGTERM');
    await first.ended;

    const second = await cli.serve(['--tls-self-signed']);
    expect(listening(second.output().stdout).certificate_sha256).toBe(fingerprint);
    second.kill('SIGTERM');
    await second.ended;
  });

  test('the session cookie is for HTTPS only, and TLS before 1.2 is refused', async () => {
    const service = await cli.serve(['--tls-self-signed']);
    const { port } = new URL(service.url);
    const page = await new Promise<{ status: number | undefined; cookies: string[] }>((resolve, reject) => {
      https
        .get({ host: '127.0.0.1', port, path: '/users/sign_in', rejectUnauthorized: false }, (answer) => {
          answer.resume();
          resolve({ status: answer.statusCode, cookies: answer.headers['set-cookie'] ?? [] });
        })
        .once('error', reject);
    });
    expect(page.status).toBe(200);
    for (const cookie of page.cookies) expect(cookie).toContain('Secure');
    const old = await run('openssl', [
      's_client',
      '-connect',
      `127.0.0.1:${port}`,
      '-tls1_1',
      '-cipher',
      'ALL:@SECLEVEL=0',
    ]);
    expect(old.status).not.toBe(0);
    // Plain HTTP gets an explanation, and the service keeps running.
    const clear = await fetch(`http://127.0.0.1:${port}/-/health`, { redirect: 'manual' });
    expect([clear.status, await clear.text()]).toEqual([400, expect.stringContaining('This port speaks HTTPS')]);
    await expect(shown(service.url)).resolves.toBeDefined();
    service.kill('SIGTERM');
    await service.ended;
  });

  test('certificates of an authority are used unchanged, and faults in them are reported', async () => {
    const at = (name: string) => path.join(cli.dir, name);
    for (const name of ['a', 'b']) {
      execFileSync(
        'openssl',
        [
          ...certificateArguments,
          '-keyout',
          at(`${name}.key`),
          '-out',
          at(`${name}.pem`),
          '-days',
          '30',
          '-subj',
          `/CN=${name}`,
        ],
        { stdio: 'ignore' },
      );
    }
    const service = await cli.serve(['--tls-cert', at('a.pem'), '--tls-key', at('a.key')]);
    expect((await shown(service.url)).subject).toBe('CN=a');
    service.kill('SIGTERM');
    await service.ended;

    await writeFile(at('not.pem'), 'hello');
    await rm(at('gone.pem'), { force: true });
    const refusals: readonly [readonly string[], number, RegExp][] = [
      [
        ['--tls-cert', at('a.pem'), '--tls-key', at('b.key')],
        1,
        /The key in .*b\.key does not belong to the certificate in .*a\.pem/,
      ],
      [['--tls-cert', at('not.pem'), '--tls-key', at('a.key')], 1, /not\.pem is not a certificate in PEM form/],
      [['--tls-cert', at('a.pem'), '--tls-key', at('not.pem')], 1, /not\.pem is not a private key in PEM form/],
      [
        ['--tls-cert', at('gone.pem'), '--tls-key', at('a.key')],
        1,
        /The certificate .*gone\.pem cannot be read \(ENOENT\)/,
      ],
      [['--tls-cert', at('a.pem')], 2, /together/],
      [['--tls-cert', at('a.pem'), '--tls-key', at('a.key'), '--tls-self-signed'], 2, /either/],
    ];
    for (const [args, status, message] of refusals) {
      const answer = await cli.runHere(['serve', '--port', '0', ...args]);
      expect([args, answer.status, answer.stderr]).toEqual([args, status, expect.stringMatching(message)]);
    }
    expect(await readFile(at('a.key'), 'utf8')).toContain('PRIVATE KEY');
  });
});
