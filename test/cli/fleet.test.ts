import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench } from '../../src-main/service/contract/fleet/fleet.ts';
import { usualReport } from '../service/fleet/a-bench.ts';
import { startTestService } from '../service/start.ts';
import { commandLine, type CommandLine } from './command-line.ts';

let cli: CommandLine;

beforeAll(async () => {
  cli = await commandLine();
  await cli.ok(['user', 'create', 'alice', '--admin', '--password-stdin'], 'seven lamps over 9 benches\n');
  const service = await startTestService({ dataDir: cli.dataDir, database: null });
  const userId = (await service.services.users.byUsername('alice'))?.id ?? 0;
  const usual = usualReport('server.lab.example');
  const reports = [
    { ...usual, name: 'nmr-400' },
    { ...usual, name: 'xrd', runs: { growing: 0, stuck: 2 } },
    { ...usual, name: 'xrd', going: 'closing' as const },
  ];
  for (const [at, report] of reports.entries())
    await service.services.benches.receive({ benchId: `key-${at}`, userId, report, clockAheadMs: 0 }, Date.now());
  await service.end();
});
afterAll(async () => cli.end());

describe('fleet', () => {
  test('lists those that need somebody first, and filters', async () => {
    const lines = (await cli.ok(['fleet', 'list'])).split('\n');
    expect(lines[1]).toMatch(/^xrd +reporting .+ runs-stuck$/);
    expect(lines).toHaveLength(4);
    const gone = JSON.parse(await cli.ok(['fleet', 'list', '--filter', 'gone', '--json'])) as Bench[];
    expect(gone).toMatchObject([{ id: 'key-2', state: 'closed' }]);
    expect((await cli.run(['fleet', 'list', '--filter', 'lost'])).status).toBe(2);
  });

  test('shows one by its name or the beginning of its id, and refuses what is not clear', async () => {
    expect(await cli.ok(['fleet', 'show', 'NMR-400'])).toMatch(/^state +reporting$/m);
    expect(await cli.ok(['fleet', 'show', 'key-1'])).toMatch(/^runs +0 growing, 2 stuck$/m);
    expect((await cli.run(['fleet', 'show', 'xrd'])).stderr).toContain('More than one bench');
    expect((await cli.run(['fleet', 'show', 'none'])).stderr).toContain('There is no bench none.');
  });

  test('removes one', async () => {
    expect(await cli.ok(['fleet', 'remove', 'key-2'])).toBe('xrd is removed.');
    expect(JSON.parse(await cli.ok(['fleet', 'list', '--json']))).toHaveLength(2);
  });
});
