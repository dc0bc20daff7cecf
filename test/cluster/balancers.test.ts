import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startCluster, type TestCluster } from './cluster.ts';
import { killRounds, repeated } from './rounds.ts';
import { expectNoLoss, large, load, prepare } from './load.ts';

vi.setConfig({ testTimeout: 240_000 + killRounds * 20_000, hookTimeout: 60_000 });

let cluster: TestCluster;
afterEach(async () => cluster.end());

describe.each(['nginx', 'haproxy'] as const)('behind %s', (kind) => {
  test('a replica that is killed, or stops, fails no GET, no HEAD and no event, and none is lost', async () => {
    cluster = await startCluster(kind);
    const prepared = await prepare(cluster);
    const running = load(cluster, prepared);
    for (let round = 0; round < killRounds; round += 1) {
      const signal = round % 3 === 1 ? 'SIGTERM' : 'SIGKILL';
      await setTimeout(500 + Math.random() * 1000);
      const victim = cluster.replicas[round % cluster.replicas.length];
      if (!victim) throw new Error('no replica');
      victim.child.kill(signal);
      await victim.ended;
      await setTimeout(500);
      await cluster.restart(victim);
    }
    await setTimeout(1000);
    await expectNoLoss(cluster, running);
  });

  test('a download that breaks off with its replica is resumed by our client, and is right', repeated, async () => {
    cluster = await startCluster(kind);
    const { token } = await prepare(cluster);
    const tokenFile = path.join(cluster.dir, 'token');
    await writeFile(tokenFile, token, { mode: 0o600 });
    const target = path.join(cluster.dir, 'fetched');
    await mkdir(target);
    const download = cluster.command([
      'download',
      `${cluster.url}/measurements/run`,
      '--token-file',
      tokenFile,
      '--to',
      target,
    ]);
    await setTimeout(400);
    for (const replica of cluster.replicas.slice(0, 2)) {
      replica.child.kill('SIGKILL');
      await replica.ended;
      await cluster.restart(replica);
    }
    await download;
    expect((await readFile(path.join(target, 'run', 'b.bin'))).equals(large)).toBe(true);
  });
});
