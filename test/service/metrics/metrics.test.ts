import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteBackup } from '../../../src-main/service/backup/backup-notes.ts';
import type { FetchOutcome, FetchPlan, FetchRun, Journal } from '../../../src-main/service/fetching/engine/types.ts';
import { countRestarts, countRuns } from '../../../src-main/service/instrumentation/count-fetching.ts';
import { Counters } from '../../../src-main/service/metrics/counters.ts';
import { metricText } from '../../../src-main/service/metrics/metric-text.ts';
import { createToken } from '../../../src-main/service/tokens/create-token.ts';
import { atTheMachine } from '../../../src-main/service/http/principal.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { engineOfTests, startTestService, type TestService } from '../start.ts';
import { lintFamilies, parsePrometheusText, type ParsedFamily } from './prometheus-text.ts';

const root = path.resolve(import.meta.dirname, '../../..');

describe('the text format', () => {
  test('can be read back by a strict parser', () => {
    const value = 'quotes " back\\slash\nline';
    const text = metricText([
      {
        name: 'a_total',
        type: 'counter',
        help: 'One\nline \\ here',
        samples: [{ labels: { x: value, y: '' }, value: 1e21 }],
      },
      { name: 'b', type: 'gauge', help: 'B', samples: [{ labels: {}, value: Number.NaN }] },
      { name: 'c', type: 'gauge', help: 'Nothing', samples: [] },
    ]);
    const [a, b, ...more] = parsePrometheusText(text);
    expect(a?.samples).toEqual([{ name: 'a_total', labels: { x: value, y: '' }, value: 1e21 }]);
    expect(b?.samples[0]?.value).toBeNaN();
    expect(more).toEqual([]);
  });

  test.each([
    ['without an end', '# HELP a A\n# TYPE a gauge\na 1'],
    ['without help', '# TYPE a gauge\na 1\n'],
    ['torn apart', '# HELP a A\n# TYPE a gauge\na 1\n# HELP b B\n# TYPE b gauge\nb 1\na{x="1"} 1\n'],
    ['a series twice', '# HELP a A\n# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
    ['a label that is not closed', '# HELP a A\n# TYPE a gauge\na{x="1} 1\n'],
    ['a comma too many', '# HELP a A\n# TYPE a gauge\na{x="1",} 1\n'],
    ['a quote within', '# HELP a A\n# TYPE a gauge\na{x="1"2"} 1\n'],
    ['a number that is none', '# HELP a A\n# TYPE a gauge\na one\n'],
  ])('is refused %s', (_what, text) => {
    expect(() => parsePrometheusText(text)).toThrow();
  });

  test('the conventions detect violations', () => {
    const family = (name: string, type: string, labels: Record<string, string> = {}): ParsedFamily => ({
      name,
      type,
      help: 'H',
      samples: [{ name, labels, value: 1 }],
    });
    for (const wrong of [
      family('requests', 'counter'),
      family('size_total', 'gauge'),
      family('delay_ms', 'gauge'),
      family('size_kilobytes', 'gauge'),
      family('delay_seconds', 'gauge', { quantile: '0.5' }),
      family('my_gauge', 'gauge'),
    ])
      expect(lintFamilies([wrong]), wrong.name).toHaveLength(1);
    expect(lintFamilies([family('a_bytes', 'gauge'), family('b_total', 'counter')])).toEqual([]);
  });
});

test('labels from outside do not create unlimited series', () => {
  const counters = new Counters();
  for (let index = 0; index < 5000; index += 1) counters.add('events', [`item:${index}`]);
  const events = counters.families().find(({ name }) => name === 'benchport_error_events_total');
  expect(events?.samples.length).toBeLessThanOrEqual(101);
  expect(events?.samples.reduce((sum, { value }) => sum + value, 0)).toBe(5000);
});

test('runs of fetches are counted: received bytes, the end, failures, and restarted files', async () => {
  const counters = new Counters();
  let received = 1000;
  let end: (outcome: FetchOutcome) => void = () => {};
  const run: FetchRun = {
    outcome: new Promise((resolve) => (end = resolve)),
    progress: () => ({
      phase: 'fetching',
      bytesDone: 0,
      bytesVerified: 0,
      filesDone: 0,
      bytesReceived: received,
      connections: 1,
      lastByteAt: 0,
      inFlight: [],
    }),
    stop: () => {},
  };
  const engine = countRuns({ run: () => run, verify: () => run, limit: () => {}, close: async () => {} }, counters);
  const counted = engine.run({} as FetchPlan);
  counted.progress();
  received = 5000;
  end({ kind: 'retry', reason: 'server-busy', message: 'later', afterMs: 1000 });
  await counted.outcome;
  const recorded: unknown[] = [];
  const journal = countRestarts(
    {
      record: async (_id: number, changes: readonly unknown[]) => void recorded.push(...changes),
    } as unknown as Journal,
    counters,
  );
  await journal.record(1, [
    { kind: 'restart', index: 0, counts: true },
    { kind: 'restart', index: 1, counts: false },
  ]);
  expect(recorded).toHaveLength(2);
  const value = (name: string, label = '') =>
    counters
      .families()
      .find((family) => family.name === name)
      ?.samples.find(({ labels }) => Object.values(labels).join() === label)?.value;
  expect(value('benchport_fetch_received_bytes_total')).toBe(5000);
  expect(value('benchport_fetch_runs_total', 'retry')).toBe(1);
  expect(value('benchport_fetch_troubles_total', 'server-busy')).toBe(1);
  expect(value('benchport_fetch_restarts_total')).toBe(1);
});

describe('the metrics of a running service', () => {
  let service: TestService;
  let alice: number;
  let admin: string;
  beforeAll(async () => {
    service = await startTestService();
    alice = await service.user('alice', true);
    admin = await service.token(alice, ['api']);
  });
  afterAll(async () => service.end());

  const families = async (): Promise<readonly ParsedFamily[]> => {
    const answer = await fetch(`${service.url}/-/metrics`, { headers: { 'private-token': admin } });
    expect(answer.status).toBe(200);
    return parsePrometheusText(await answer.text());
  };
  const valueOf = (
    all: readonly ParsedFamily[],
    name: string,
    labels: Record<string, string> = {},
  ): number | undefined =>
    all
      .find((family) => family.name === name)
      ?.samples.find(
        (sample) =>
          sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      )?.value;

  test('every name follows the conventions and is in the administrator guide, and the guide has no other', async () => {
    await addMeasurement(service, alice, 'qmr-1', [{ path: 'a.bin', bytes: 'abc' }]);
    const all = await families();
    expect(lintFamilies(all)).toEqual([]);
    expect(all.reduce((sum, { samples }) => sum + samples.length, 0)).toBeLessThan(400);
    const guide = await readFile(path.join(root, 'docs/administrator-guide.md'), 'utf8');
    const described = [...guide.matchAll(/^\| `([a-z_]+)`/gm)]
      .map(([, name]) => name)
      .filter((name) => /^(?:benchport|process|nodejs)_/.test(name ?? ''));
    const offered = new Set(all.map(({ name }) => name));
    // Metrics that exist only on Linux, or only after an action.
    for (const name of [
      'process_open_fds',
      'benchport_http_requests_total',
      'benchport_token_refusals_total',
      'benchport_audit_events_total',
      'benchport_jobs_ended_total',
      'benchport_last_backup_timestamp_seconds',
    ])
      offered.add(name);
    expect(new Set(described)).toEqual(offered);
    expect(described).toHaveLength(offered.size);
  });

  test('failed sign-ins, tokens, transfers with their bytes and events are counted', async () => {
    const before = await families();
    await addMeasurement(service, alice, 'qmr-2', [{ path: 'b.bin', bytes: Buffer.alloc(100_000, 7) }]);
    const file = await fetch(`${service.url}/measurements/qmr-2/files/0`, { headers: { 'private-token': admin } });
    expect((await file.arrayBuffer()).byteLength).toBe(100_000);
    const range = await fetch(`${service.url}/measurements/qmr-2/files/0`, {
      headers: { authorization: `Bearer ${admin}`, range: 'bytes=0-999' },
    });
    expect((await range.arrayBuffer()).byteLength).toBe(1000);
    await createToken(
      service.services,
      { userId: alice, name: 'n', description: '', scopes: ['read_api'], expiresAt: null },
      atTheMachine,
    );
    const wrong = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', username: 'alice', password: 'no' }),
    });
    expect(wrong.status).toBe(400);
    await service.services.projects.create('lab/qmr', 'QMR');
    const project = await service.services.projects.byPath('lab/qmr');
    const key = `bpk_${'a'.repeat(32)}`;
    await service.services.clientKeys.create(project?.id ?? 0, key);
    await service.services.errorSettings.put({
      project_id: project?.id ?? 0,
      active: 1,
      integrated: 1,
      api_url: null,
      sealed_token: null,
      project_name: null,
      organization_name: null,
      retention_days: null,
      most_events: null,
      max_bytes: null,
    });
    service.services.changes.bump();
    const send = async (event: string) =>
      fetch(`${service.url}/api/v4/error_tracking/collector/api/${project?.id}/store/?sentry_key=${key}`, {
        method: 'POST',
        body: event,
      });
    expect((await send('{"message":"broken","event_id":"00000000000000000000000000000001"}')).status).toBe(200);
    expect((await send('{"message":"broken","event_id":"00000000000000000000000000000001"}')).status).toBe(200);
    expect((await send('{')).status).toBe(400);

    await expect
      .poll(
        async () => {
          const after = await families();
          const gain = (name: string, labels?: Record<string, string>) =>
            (valueOf(after, name, labels) ?? 0) - (valueOf(before, name, labels) ?? 0);
          return {
            files: gain('benchport_transfers_total', { kind: 'file', outcome: 'complete' }),
            bytes: gain('benchport_transfer_sent_bytes_total', { kind: 'file' }),
            tokens: gain('benchport_tokens_issued_total', { grant: 'personal' }),
            wrong: gain('benchport_sign_in_failures_total', { reason: 'wrong password' }),
            accepted: gain('benchport_error_events_total', { outcome: 'accepted' }),
            duplicate: gain('benchport_error_events_total', { outcome: 'duplicate' }),
            malformed: gain('benchport_error_events_total', { outcome: 'malformed' }),
          };
        },
        { timeout: 20_000 },
      )
      .toEqual({ files: 2, bytes: 101_000, tokens: 1, wrong: 1, accepted: 1, duplicate: 1, malformed: 1 });
    await noteBackup(service.services.settings, {
      made_at: '2026-11-20T03:15:00.000Z',
      file: '/b.zip',
      bytes: 1,
      measurements: 1,
      left_out: 0,
    });
    const after = await families();
    expect(valueOf(after, 'benchport_last_backup_timestamp_seconds')).toBe(Date.UTC(2026, 10, 20, 3, 15) / 1000);
    expect(valueOf(after, 'benchport_measurements', { storage: 'reference', state: 'available' })).toBe(2);
    const grown = engineOfTests === 'sqlite' ? 'wal' : 'database';
    expect(valueOf(after, 'benchport_database_size_bytes', { file: grown })).toBeGreaterThan(100_000);
    expect(valueOf(after, 'benchport_disk_free_bytes')).toBeGreaterThan(0);
    expect(valueOf(after, 'benchport_connections', { listener: 'everybody' })).toBeGreaterThan(0);
  });
});
