import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startFaultServer } from '../../../faults/fault-server.ts';
import { openFetchLab } from '../../../faults/fetch-lab.ts';
import { digestsBelow, filesOf } from '../../../faults/folder-contents.ts';
import { generateMeasurement, smallFiles } from '../../../faults/measurement.ts';
import type { NetworkReport } from '../../../faults/network-lab.ts';
import { mayUnshareNetwork } from './may-unshare-network.ts';
import { mustRun } from '../../run-program.ts';

const mebibyte = 1024 * 1024;
/** BENCHPORT_NETWORK_GONE=60000 for a whole minute. */
const gone = Number(process.env['BENCHPORT_NETWORK_GONE'] ?? 2500);

if (mayUnshareNetwork) {
  test(
    `the network is gone for ${gone / 1000} seconds midway: it goes on where it was`,
    async () => {
      const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-network-'));
      try {
        const program = path.resolve(import.meta.dirname, '../../../faults/network-lab.ts');
        const said = await mustRun('unshare', ['-n', process.execPath, program, dir, String(gone)]);
        const { report, bytesSent, bytes } = JSON.parse(said.trim().split('\n').at(-1) ?? '') as NetworkReport;
        expect(report?.outcome).toEqual({ kind: 'done' });
        // The loss was noticed and distinguished from a failure.
        expect(report?.retries).toContain('unreachable');
        expect(new Set(report?.retries)).toEqual(new Set(['unreachable']));
        const measurement = generateMeasurement('run-12', 23, [['big.bin', 16 * mebibyte], ...smallFiles(40, 5000)]);
        expect(digestsBelow(path.join(dir, 'm'))).toEqual(filesOf(measurement));
        // Bytes sent into the void are lost; received bytes are not.
        expect(bytesSent - bytes).toBeLessThan(12 * mebibyte);
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    },
    60_000 + gone,
  );
}

test('the server moves to another address: the fetch goes on there with what it has', async () => {
  const measurement = generateMeasurement('run-13', 24, [['big.bin', 8 * mebibyte]]);
  const lab = await openFetchLab();
  const scene = lab.scene(measurement);
  const first = await startFaultServer(measurement, { pace: 6_000_000 });
  const second = await startFaultServer(measurement, { basePath: '/moved' });
  try {
    const plan = await scene.plan(first.url);
    const run = await scene.run(plan);
    while (run.progress().bytesDone < 4 * mebibyte) await new Promise((resolve) => setTimeout(resolve, 5));
    await first.stop();
    expect(await run.outcome).toMatchObject({ kind: 'retry', reason: 'unreachable' });
    expect(await scene.untilEnd({ ...plan, source: { ...plan.source, baseUrl: second.url } })).toEqual({
      kind: 'done',
    });
    expect(scene.files()).toEqual(filesOf(measurement));
    expect(second.bytesSent()).toBeLessThan(5 * mebibyte);
    scene.mustBeClean();
  } finally {
    await second.stop();
    await lab.end();
  }
});
