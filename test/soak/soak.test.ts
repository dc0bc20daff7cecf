import { expect, test } from 'vitest';
import { programEntry } from '../service/program-entry.ts';
import { reportText } from './report.ts';
import { soak } from './soak.ts';

// The hour of `npm run soak` in forty seconds: every kind of load and of fault.
test('a service under mixed load and faults keeps every promise', { timeout: 300_000 }, async () => {
  const report = await soak({ minutes: 0.6, entry: programEntry('service'), say: () => {} });
  expect(report.good, reportText(report)).toBe(true);
  for (const what of [
    'file',
    'range',
    'archive',
    'event',
    'main killed',
    'fetch done',
    'revocation',
    'registration begun',
    'bad input',
  ])
    expect(report.done.get(what) ?? 0, what).toBeGreaterThan(0);
});
