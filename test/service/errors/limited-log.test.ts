import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { expect, it } from 'vitest';
import { limitedLog } from '../../../src-main/service/limited-log.ts';

it('L2: has one line a minute for each reason, and says how many were withheld', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-log-'));
  try {
    const file = path.join(dir, 'log');
    let time = 0;
    const log = limitedLog(pino({}, pino.destination({ dest: file, sync: true })), () => time);
    for (let at = 0; at < 1000; at += 1) log('unknown client key', { project: at }, 'refused');
    log('not active', {}, 'refused');
    time = 60_000;
    log('unknown client key', { project: 7 }, 'refused');
    const lines = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ project, withheld }) => [project, withheld])).toEqual([
      [0, undefined],
      [undefined, undefined],
      [7, 999],
    ]);
    for (let at = 0; at < 5000; at += 1) log(`made up ${at}`, {}, 'refused');
    expect((await readFile(file, 'utf8')).trimEnd().split('\n').length).toBeLessThan(110);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
