import { expect, it } from 'vitest';
import { ChosenPaths, pathsIn } from '../../src-main/shell/files/chosen-paths.ts';

const rule = { id: 1, name: 'novaseq', folder: '/data/novaseq', fields: [{ name: 'run', from: 'a.xml', key: 'Id' }] };
const asked: string[] = [];
const service = async (address: string): Promise<unknown> => {
  asked.push(address);
  if (address !== '/api/v4/local/captures') throw new Error('the service does not answer');
  return [rule];
};

it('a folder that a stored rule watches may be named after a restart, and no other', async () => {
  const chosen = new ChosenPaths();
  expect(await chosen.includes(['/data/novaseq'], service)).toBe(true);
  for (const other of ['/data', '/data/novaseq/', '/data/novaseq/../other', '/data/novaseq-2', 'novaseq'])
    expect([other, await chosen.includes([other], service)]).toEqual([other, false]);
  expect(await chosen.includes(['/data/novaseq', '/home/alice/.ssh'], service)).toBe(false);
  chosen.note(['/data/new']);
  expect(await chosen.includes(['/data/novaseq', '/data/new'], service)).toBe(true);
});

it('the service is not asked about what was chosen in a dialog', async () => {
  asked.length = 0;
  const chosen = new ChosenPaths();
  chosen.note(['/data/new']);
  expect(await chosen.includes(['/data/new'], service)).toBe(true);
  expect(asked).toEqual([]);
});

it('rules that the service answers in another shape, or not at all, permit nothing', async () => {
  const chosen = new ChosenPaths();
  for (const answer of [null, {}, [{ id: 1 }], ['/data/novaseq'], { folder: '/data/novaseq' }])
    expect(await chosen.includes(['/data/novaseq'], async () => answer)).toBe(false);
  const away = async (): Promise<unknown> => Promise.reject(new Error('away'));
  expect(await chosen.includes(['/data/novaseq'], away)).toBe(false);
});

it('of a rule the folder is a path of this machine, and the files of its fields are not', () => {
  expect(pathsIn(rule)).toEqual(['/data/novaseq']);
});
