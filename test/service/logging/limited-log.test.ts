import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { expect, it } from 'vitest';
import { limitedLog } from '../../../src-main/service/logging/limited-log.ts';

it('L2: has one line a minute for each reason, and counts the suppressed ones', async () => {
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

it('L2: a persistent reason gets a line an hour in the end; old reasons are evicted, and one that rests starts over', () => {
  let time = 0;
  const lines: (readonly [time: number, project: unknown, withheld: unknown])[] = [];
  const log = limitedLog(
    {
      info: (fields: Record<string, unknown>) => void lines.push([time, fields['project'], fields['withheld']]),
      error: () => {},
    },
    () => time,
  );
  const day = 24 * 60 * 60_000;
  for (; time < day; time += 10_000) log('flood', { project: 1 }, 'refused');
  expect(lines.length).toBeLessThan(24 + 10);
  expect(lines.length).toBeGreaterThan(20);
  lines.length = 0;
  time = 2 * day;
  for (let reason = 0; reason < 200; reason += 1) log(`made up ${reason}`, { project: 2 }, 'refused');
  expect(lines).toHaveLength(101);
  lines.length = 0;
  time += 5 * 60_000;
  for (let count = 0; count < 3; count += 1) log('new', { project: 3 }, 'refused');
  expect(lines).toEqual([[time, 3, undefined]]);
});
