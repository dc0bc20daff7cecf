import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openTarget } from '../../../../../src-main/service/fetching/engine/target/target-folder.ts';
import { canKeepDescriptors } from '../../../../../src-main/service/files/target-folder-walk.ts';
import { TargetError } from '../../../../../src-main/service/files/target-folder-error.ts';
import { eachTestIn, write } from './target-scene.ts';

let folder: string;
let outside: string;

eachTestIn((scene) => {
  ({ folder, outside } = scene);
});

/** Held folders are looked for once a turn. */
async function nextTurn(): Promise<void> {
  await new Promise(setImmediate);
}

test.runIf(canKeepDescriptors)(
  'a folder that is exchanged for a link again and again while files are made',
  async () => {
    mkdirSync(path.join(folder, 'sub'), { recursive: true });
    const target = await openTarget(folder);
    const stop = new Int32Array(new SharedArrayBuffer(8));
    // In a separate thread, because all calls of the target block this one.
    const swapper = new Worker(
      `const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
     const { folder, outside, stop } = require('node:worker_threads').workerData;
     // The target may have made the folder itself in the moment in which there was none.
     const attempt = (act) => { try { act(); } catch { rmSync(folder + '/away', { recursive: true, force: true }); } };
     while (Atomics.load(stop, 0) === 0) {
       attempt(() => renameSync(folder + '/sub', folder + '/away'));
       attempt(() => symlinkSync(outside, folder + '/sub'));
       Atomics.add(stop, 1, 1);
       attempt(() => unlinkSync(folder + '/sub'));
       attempt(() => renameSync(folder + '/away', folder + '/sub'));
     }`,
      { eval: true, workerData: { folder, outside, stop } },
    );
    const unexpected: unknown[] = [];
    let made = 0;
    let refused = 0;
    while (Atomics.load(stop, 1) === 0) await new Promise(setImmediate);
    for (let round = 0; round < 2000 || made === 0 || refused === 0; round += 1) {
      try {
        write(target, `sub/f${round}`, 'bytes');
        made += 1;
      } catch (error) {
        if (error instanceof TargetError) refused += 1;
        else unexpected.push(error);
      }
      await nextTurn();
    }
    Atomics.store(stop, 0, 1);
    await new Promise((resolve) => swapper.once('exit', resolve));
    target.close();
    expect(unexpected).toEqual([]);
    expect(readdirSync(outside)).toEqual([]);
  },
);
