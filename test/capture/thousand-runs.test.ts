import { expect, test, vi } from 'vitest';
import * as instrument from './simulated-instruments.ts';
import { quietMs, simulate, type Bench } from './simulation.ts';

/** More runs than in every test run, such as 1000. */
const long = Number(process.env['LONG_CAPTURE_TEST'] ?? 0);
vi.setConfig({ testTimeout: long > 0 ? 3_600_000 : 300_000 });

const benchCount = 8;
const runs = Math.ceil((long > 0 ? long : 96) / benchCount);
const minutes = quietMs / 60_000;
const quiet: Bench['rule'] = { sign: 'quiet', markers: [], minutes };

const benches: readonly Bench[] = [
  { name: 'marker', rule: {}, instruments: [instrument.withMarker, instrument.renamedAtTheEnd], runs },
  { name: 'tidied', rule: {}, instruments: [instrument.renamedLater], runs },
  { name: 'share', rule: {}, instruments: [instrument.withMarker, instrument.renamedAtTheEnd], runs, losesShare: true },
  {
    name: 'quiet',
    rule: { ...quiet, unfinished: ['*.lock'] },
    instruments: [instrument.withGrowingPauses, instrument.preAllocating, instrument.withTemporaryFiles],
    runs,
  },
  {
    name: 'late',
    rule: { markers: ['RTAComplete.txt', 'RunCompletionStatus.xml'], minutes },
    instruments: [instrument.withLateFiles],
    runs,
  },
  { name: 'moved', rule: { sign: 'moved-in', markers: [] }, instruments: [instrument.movedIn], runs },
  {
    name: 'pairs',
    rule: { ...quiet, unit: 'files', pattern: '{name}.wiff*' },
    instruments: [instrument.withTwoFiles],
    runs,
  },
  {
    name: 'files',
    rule: { ...quiet, unit: 'file', pattern: '*.raw', copy: true },
    instruments: [instrument.preAllocatedFile],
    runs,
  },
];

test(`of ${runs * benchCount} runs none is registered early, none is missed, none is registered twice`, async () => {
  const outcome = await simulate(benches, 1, long > 0 ? 15_000 : 6000);
  console.log(`runs ${outcome.runs}, kills ${outcome.kills}, lost shares ${outcome.lostShares}`);
  const { early, missed, twice } = outcome;
  expect(outcome.runs).toBe(runs * benchCount);
  expect({ early, missed, twice }, JSON.stringify({ early, missed, twice })).toEqual({
    early: [],
    missed: [],
    twice: [],
  });
});
