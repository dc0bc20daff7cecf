import { expect, test } from 'vitest';
import { errorReporter } from '../../src-main/shell/errors/error-reporter.ts';

test('errors of the window are reported over the private socket, and wait while the service is away', async () => {
  const told: unknown[] = [];
  let away = true;
  const { report, ready } = errorReporter(async (path, write) => {
    if (away) throw new Error('The service answered 502.');
    told.push([path, write?.body]);
  });
  report(new TypeError('broken'), 'the window’s process', 'fatal');
  report('a text', 'the page');
  await new Promise(setImmediate);
  expect(told).toEqual([]);
  away = false;
  ready();
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(2);
  expect(told[0]).toEqual([
    '/api/v4/local/own-errors',
    {
      part: 'window',
      level: 'fatal',
      type: 'TypeError',
      message: 'broken',
      stack: expect.stringContaining('error-reporter.test.ts') as string,
      during: 'the window’s process',
    },
  ]);
  for (let index = 0; index < 200; index += 1) report(new Error('again'), 'the page');
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(50);
});
