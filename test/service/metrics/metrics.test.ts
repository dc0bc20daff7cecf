import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { noteBackup } from '../../../src-main/service/backup/backup-notes.ts';
import type { FetchOutcome, FetchPlan, FetchRun, Journal } from '../../../src-main/service/fetching/engine/types.ts';
import { countRestarts, countRuns } from '../../../src-main/service/instrumentation/count-fetching.ts';
import { Counters } from '../../../src-main/service/metrics/counters.ts';
import { createToken } from '../../../src-main/service/tokens/create-token.ts';
import { atTheMachine } from '../../../src-main/service/http/principal.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { engineOfTests } from '../start.ts';
import { useTestService, useUser } from '../use-service.ts';
import { lintFamilies, parsePrometheusText, type ParsedFamily } from './prometheus-text.ts';
import { integratedSettings } from '../errors/integrated-settings.ts';

const root = path.resolve(import.meta.dirname, '../../..');

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
  const service = useTestService();
  const alice = useUser(service, 'alice', { admin: true, scopes: ['api'] });

  const families = async (): Promise<readonly ParsedFamily[]> => {
    const answer = await fetch(`${service.url}/-/metrics`, { headers: { 'private-token': alice.token } });
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
    await addMeasurement(service, alice.id, 'qmr-1', [{ path: 'a.bin', bytes: 'abc' }]);
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
    await addMeasurement(service, alice.id, 'qmr-2', [{ path: 'b.bin', bytes: Buffer.alloc(100_000, 7) }]);
    const file = await fetch(`${service.url}/measurements/qmr-2/files/0`, {
      headers: { 'private-token': alice.token },
    });
    expect((await file.arrayBuffer()).byteLength).toBe(100_000);
    const range = await fetch(`${service.url}/measurements/qmr-2/files/0`, {
      headers: { authorization: `Bearer ${alice.token}`, range: 'bytes=0-999' },
    });
    expect((await range.arrayBuffer()).byteLength).toBe(1000);
    await createToken(
      service.services,
      { userId: alice.id, name: 'n', description: '', scopes: ['read_api'], expiresAt: null },
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
    await service.services.errorSettings.put({ ...integratedSettings, project_id: project?.id ?? 0 });
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
