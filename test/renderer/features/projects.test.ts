import { describe, expect, test } from 'vitest';
import { apiUrlOf, originOf, serverOf } from '../../../src-renderer/features/projects/monitor/external-address.ts';
import { isLoopbackUrl, maskDsn } from '../../../src-renderer/words/mask-dsn.ts';
import { memberStays, whyNot, type Role } from '../../../src-renderer/features/projects/members/roles.ts';
import { sdkSamples } from '../../../src-renderer/features/projects/keys/sdk-samples.ts';
import { readSize } from '../../../src-renderer/features/projects/monitor/event-size.ts';
import {
  changeOf,
  draftOf,
  keepsToken,
  problemOfNumber,
  whatIsMissing,
} from '../../../src-renderer/features/projects/monitor/settings-draft.ts';
import { readApiHost, readApiUrl } from '../../../src-main/service/errors/external/sentry-address.ts';

const publicKey = `bpk_${'0a'.repeat(16)}`;
const dsn = `https://${publicKey}@bench.example/api/v4/error_tracking/collector/7`;

describe('a DSN', () => {
  test('hides its keys in both forms, and within a program', () => {
    expect(maskDsn(dsn, publicKey)).toBe('https://••••••••@bench.example/api/v4/error_tracking/collector/7');
    const deprecated = dsn.replace('@', `:${'f1'.repeat(16)}@`);
    expect(maskDsn(deprecated, publicKey)).toBe(
      'https://••••••••:••••••••@bench.example/api/v4/error_tracking/collector/7',
    );
    for (const { program } of sdkSamples(dsn)) expect(maskDsn(program, publicKey)).not.toMatch(/bpk_|0a0a/);
  });

  test('with the address of this machine is recognised', () => {
    expect(['http://k@127.0.0.1:7420/7', 'http://k@localhost/7', 'http://k@[::1]:1/7'].every(isLoopbackUrl)).toBe(true);
    expect([dsn, 'http://k@192.168.4.17/7', 'http://k@127.example/7'].some(isLoopbackUrl)).toBe(false);
  });

  test('is in the sample of each of the seven SDKs, with the version of the interface', () => {
    const versions = {
      Go: '0.20.0',
      Java: '6.18.1',
      NodeJS: '7.38.0',
      PHP: '3.18.0',
      Python: '1.21.0',
      Ruby: '5.9.0',
      Rust: '0.31.0',
    };
    expect(Object.fromEntries(sdkSamples(dsn).map(({ language, version }) => [language, version]))).toEqual(versions);
    const newest = {
      Go: '0.50.0',
      Java: '8.62.0',
      NodeJS: '11.12.0',
      PHP: '4.29.0',
      Python: '2.75.0',
      Ruby: '6.6.2',
      Rust: '0.49.5',
    };
    expect(Object.fromEntries(sdkSamples(dsn).map((sample) => [sample.language, sample.newest]))).toEqual(newest);
    for (const { install, program, version } of sdkSamples(dsn)) {
      expect(install).toContain(version);
      expect(program).toContain(dsn);
    }
  });
});

describe('an external server', () => {
  test('and its project form an API URL that the service can parse', () => {
    const apiUrl = apiUrlOf('sentry.example/base/', { organization_slug: 'lab', slug: 'qmr' });
    expect(apiUrl).toBe('https://sentry.example/base/api/0/projects/lab/qmr');
    expect(readApiUrl(apiUrl)).toEqual({
      origin: 'https://sentry.example',
      base: 'https://sentry.example/base',
      organization: 'lab',
      project: 'qmr',
    });
    expect(serverOf(apiUrl)).toBe('https://sentry.example/base');
  });

  test.each(['sentry.example', 'http://127.0.0.1:9000/', 'https://s.example/api/0/projects/a/b/', ''])(
    '%j has the origin that the service reads',
    (host) => {
      expect(originOf(host)).toBe(readApiHost(host)?.origin ?? null);
    },
  );
});

describe('settings', () => {
  const saved = {
    active: true,
    integrated: false,
    api_url: 'https://sentry.example/api/0/projects/lab/qmr',
    sentry_external_url: 'https://sentry.example/lab/qmr',
    project_name: 'QMR',
    has_token: true,
    retention_days: 30,
    most_events: null,
    max_bytes: null,
    stored_bytes: 0,
  };
  const beam = {
    id: '2',
    name: 'Beam',
    slug: 'beam',
    status: null,
    organization_id: '1',
    organization_name: 'Lab',
    organization_slug: 'lab',
  };

  test('that are not changed send no token and no project, so that both stay', () => {
    expect(changeOf(draftOf(saved, 'iec'), saved)).toEqual({ active: true, integrated: false });
    expect(whatIsMissing(draftOf(saved, 'iec'), saved)).toBeNull();
  });

  test('of another server need a token and a project; of the same server under another path they keep the token only', () => {
    const moved = { ...draftOf(saved, 'iec'), host: 'https://other.example' };
    expect(keepsToken(moved, saved)).toBe(false);
    expect(whatIsMissing(moved, saved)).toBe('Enter the auth token.');
    expect(whatIsMissing({ ...moved, token: 't' }, saved)).toBe('Connect and choose a project.');
    expect(whatIsMissing({ ...moved, token: 't', chosen: beam }, saved)).toBeNull();
    const below = { ...draftOf(saved, 'iec'), host: 'https://sentry.example/base' };
    expect([keepsToken(below, saved), whatIsMissing(below, saved)]).toEqual([true, 'Connect and choose a project.']);
    expect(changeOf({ ...moved, token: 't', chosen: beam }, saved)).toMatchObject({
      api_url: 'https://other.example/api/0/projects/lab/beam',
      token: 't',
    });
  });

  test('of the integrated backend send retention, and nothing about the external one', () => {
    expect(changeOf({ ...draftOf(null, 'iec'), active: true, days: '14' }, null)).toEqual({
      active: true,
      integrated: true,
      retention_days: 14,
      most_events: null,
    });
    expect(['', '1', '90'].map((text) => problemOfNumber(text, 90))).toEqual([null, null, null]);
    expect(['0', '91', '1.5', '-1', 'x'].map((text) => problemOfNumber(text, 90))).not.toContain(null);
  });

  test('send the size of events in bytes: unchanged exactly, null when it was emptied', () => {
    const here = { ...saved, integrated: true, max_bytes: 1_234_567_890 };
    const draft = draftOf(here, 'iec');
    expect(draft.size).toBe('1.15');
    expect(changeOf(draft, here)).not.toHaveProperty('max_bytes');
    expect(changeOf({ ...draft, size: '2.5' }, here)).toMatchObject({ max_bytes: 2.5 * 1024 ** 3 });
    expect(changeOf({ ...draftOf(here, 'si'), size: '2,5' }, here)).toMatchObject({ max_bytes: 2_500_000_000 });
    expect(changeOf({ ...draft, size: '' }, here)).toMatchObject({ max_bytes: null });
    expect(['0', '0.001', '1000001', '-1', '1e3', '1.5.2', 'x', '.'].map((text) => readSize(text, 'iec'))).toEqual(
      Array(8).fill(undefined),
    );
  });
});

describe('roles', () => {
  const gitlab = { state: 'active', avatar_url: null, web_url: '', expires_at: null } as const;
  const member = (id: number, role: Role) => ({
    id,
    username: `user-${id}`,
    name: '',
    role,
    access_level: 0,
    ...gitlab,
  });
  const owner = { manages: true, owns: true };
  const maintainer = { manages: true, owns: false };

  test('the last owner stays, others leave; maintainers cannot change owners, and others nobody', () => {
    expect(memberStays(member(1, 'owner'), [member(1, 'owner'), member(2, 'maintainer')], owner)).toContain(
      'needs an owner',
    );
    expect(memberStays(member(1, 'owner'), [member(1, 'owner'), member(2, 'owner')], owner)).toBeNull();
    expect(memberStays(member(1, 'owner'), [member(1, 'owner'), member(2, 'owner')], maintainer)).toContain(
      'Only owners',
    );
    expect(memberStays(member(1, 'developer'), [], maintainer)).toBeNull();
    expect(memberStays(member(1, 'reporter'), [], { manages: false, owns: false })).toContain('Only maintainers');
  });

  test('the reason for a disabled action names the role and who can change it', () => {
    expect(whyNot({ role: 'reporter' }, 'maintainer', [member(1, 'owner')])).toBe(
      'This needs the role maintainer. You are a reporter here. The owner, user-1, can change your role.',
    );
    expect(whyNot({ role: null }, 'owner', [])).toContain('An administrator can change your role.');
  });
});
