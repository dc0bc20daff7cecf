import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { updateHindrances } from '../../src-main/shell/updates/update-hindrances.ts';
import {
  hindrancesOf,
  installAtEnd,
  isTimeToLook,
  onlyOverHttps,
  readUpdateFeed,
  updateFailure,
  whyUpdatesAreOff,
  type EndingFor,
  type UpdateContext,
} from '../../src-main/shell/updates/update-rules.ts';
import { verifyFeed } from '../../src-main/shell/updates/update-signature.ts';

const feed = { url: 'https://updates.example/benchport', channel: 'latest' };
const hour = 3600_000;

describe('E21 whether there are updates', () => {
  const installed: UpdateContext = {
    development: false,
    feed,
    hasKey: true,
    platform: 'linux',
    installedBy: 'AppImage',
  };

  it.each<[string, Partial<UpdateContext>, ReturnType<typeof whyUpdatesAreOff>]>([
    ['with an address and a key', {}, null],
    ['not in a development run', { development: true }, 'development'],
    ['not without an address', { feed: null }, 'no-feed'],
    ['not over http', { feed: { ...feed, url: 'http://updates.example/benchport' } }, 'not-https'],
    ['not from what is no address', { feed: { ...feed, url: '//updates' } }, 'not-https'],
    ['not without a key that proves them', { hasKey: false }, 'no-key'],
    ['not in a folder that was unpacked', { installedBy: null }, 'unpacked'],
    ['not in one on Windows', { platform: 'win32', installedBy: null }, 'unpacked'],
    ['on a Mac always', { platform: 'darwin', installedBy: null }, null],
  ])('%s', (_what, more, why) => {
    expect(whyUpdatesAreOff({ ...installed, ...more })).toBe(why);
  });

  it('the address is read from the file of the package', () => {
    const text =
      "provider: generic\nurl: 'https://updates.example/benchport'\nchannel: beta\nupdaterCacheDirName: benchport-updater\n";
    expect(readUpdateFeed(text)).toEqual({ url: 'https://updates.example/benchport', channel: 'beta' });
    expect(readUpdateFeed(text.replace('channel: beta\n', ''))?.channel).toBe('latest');
    expect(readUpdateFeed(text.replace('generic', 'github'))).toBeNull();
    expect(readUpdateFeed('')).toBeNull();
  });
});

describe('E21 the proof of an update', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const name = 'latest.yml';
  const text = 'version: 0.2.0\npath: Benchport-0.2.0.AppImage\nsha512: abc\n';
  const today = '2026-11-23';
  const now = Date.parse('2026-11-23T09:00:00Z');
  const signedText = (date: string, of = name): Buffer => Buffer.from(`benchport-feed\n${of}\n${date}\n${text}`);
  const signatureOf = (date: string, of = name): string =>
    `${date} ${sign(null, signedText(date, of), privateKey).toString('base64')}\n`;

  it('is the signature of its file with our key, as the commands of the release guide make it', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'bp-sign-'));
    try {
      writeFileSync(path.join(folder, 'update-key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
      writeFileSync(path.join(folder, name), text);
      const guide = readFileSync(path.join(import.meta.dirname, '../../docs/release.md'), 'utf8');
      const commands = /```\n(date=[\s\S]*?)```/.exec(guide)?.[1] ?? '';
      execFileSync('bash', ['-euc', commands], { cwd: folder });
      const signature = readFileSync(path.join(folder, `${name}.sig`), 'utf8');
      expect(() => verifyFeed({ name, text, signature }, key, Date.now())).not.toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is nothing else', () => {
    const other = generateKeyPairSync('ed25519');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsaKey = rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const wrong: [string, string, string][] = [
      [text.replace('abc', 'abd'), signatureOf(today), key],
      [text, `${today} ${sign(null, signedText(today), other.privateKey).toString('base64')}`, key],
      [text, '', key],
      [text, 'not base64 at all', key],
      [text, sign(null, Buffer.from(text), privateKey).toString('base64'), key],
      [text, signatureOf(today).replace('2026', '2027'), key],
      [text, `${today} ${sign('sha256', signedText(today), rsa.privateKey).toString('base64')}`, rsaKey],
    ];
    for (const [read, signature, of] of wrong)
      expect(() => verifyFeed({ name, text: read, signature }, of, now)).toThrow(/without a valid Benchport signature/);
    expect(() => verifyFeed({ name, text, signature: signatureOf(today) }, 'no key', now)).toThrow();
    expect(() =>
      onlyOverHttps([{ url: new URL('https://a.example/x') }, { url: new URL('http://a.example/x') }]),
    ).toThrow(/Nothing was downloaded/);
  });

  it('L10: a file that was signed for another channel or platform is refused', () => {
    for (const of of ['beta.yml', 'latest-linux.yml']) {
      expect(() => verifyFeed({ name, text, signature: signatureOf(today, of) }, key, now)).toThrow(
        /without a valid Benchport signature/,
      );
    }
  });

  it('L10: a signature older than 90 days is refused, and so is an invalid date', () => {
    expect(() => verifyFeed({ name, text, signature: signatureOf('2026-08-26') }, key, now)).not.toThrow();
    expect(() => verifyFeed({ name, text, signature: signatureOf('2026-08-24') }, key, now)).toThrow(
      /more than 90 days ago/,
    );
    expect(() => verifyFeed({ name, text, signature: signatureOf('2026-13-40') }, key, now)).toThrow(
      /Nothing was downloaded/,
    );
  });
});

it('updates are checked at the start and once a day, also after the clock was set back', () => {
  expect([null, 0, 23 * hour, 24 * hour, 50 * hour].map((at) => isTimeToLook(at, 24 * hour))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
});

it.each<[EndingFor, 'asks' | 'when-calm' | 'at-quit', { restart: boolean } | null]>([
  ['update', 'when-calm', { restart: true }],
  ['user', 'when-calm', { restart: false }],
  ['user', 'at-quit', { restart: false }],
  ['user', 'asks', null],
  ['session', 'at-quit', null],
  ['session', 'when-calm', null],
])('when the application ends by %s, an update with the state "%s" is installed: %s', (ending, install, expected) => {
  expect(installAtEnd({ kind: 'ready', version: '0.2.0', install, waitsFor: [] }, ending)).toEqual(expected);
  expect(installAtEnd({ kind: 'found', version: '0.2.0' }, ending)).toBeNull();
});

describe('an update is delayed', () => {
  it('by running fetches, transfers and jobs, not by waiting ones', async () => {
    expect(hindrancesOf({ fetches: 1, transfers: 0, jobs: 2 })).toEqual(['fetches', 'jobs']);
    const service =
      (states: readonly string[], transfers: number, jobs: readonly string[]) => async (address: string) =>
        address.includes('fetches')
          ? { items: states.map((state) => ({ state })) }
          : address.includes('jobs')
            ? jobs.map((state) => ({ state }))
            : Array.from({ length: transfers }, () => ({}));
    const ready = { kind: 'ready' } as never;
    expect(await updateHindrances(service(['waiting', 'paused', 'done', 'asking'], 0, ['paused']), ready)).toEqual([]);
    expect(await updateHindrances(service(['queued'], 2, ['running']), ready)).toEqual([
      'fetches',
      'transfers',
      'jobs',
    ]);
  });

  it('while the state of the service is unknown, but not after it has failed', async () => {
    const silent = async () => Promise.reject(new Error('no answer'));
    expect(await updateHindrances(silent, { kind: 'restarting' } as never)).toEqual(['fetches', 'transfers', 'jobs']);
    expect(await updateHindrances(silent, { kind: 'failed', message: '' } as never)).toEqual([]);
  });
});

it('failures are explained, without addresses and stacks', () => {
  const failed = (message: string, code?: string) => updateFailure(Object.assign(new Error(message), { code }));
  expect(failed('sha512 checksum mismatch', 'ERR_CHECKSUM_MISMATCH')).toMatch(/does not match its signature/);
  expect(failed('net::ERR_CERT_AUTHORITY_INVALID')).toMatch(/certificate/);
  expect(failed('net::ERR_CONNECTION_REFUSED')).toMatch(/cannot be reached/);
  expect(failed('404 https://updates.example/secret', 'HTTP_ERROR_404')).toMatch(/nothing for this copy/);
  expect(failed('at /home/alice/x.js:1')).not.toContain('alice');
});
