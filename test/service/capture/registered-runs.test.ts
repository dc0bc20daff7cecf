import { expect, test } from 'vitest';
import type { ScannedRun } from '../../../src-main/service/capture/scanning/scan-messages.ts';
import type { CaptureRuleRow, CaptureRunRow } from '../../../src-main/service/capture/store/capture-rows.ts';
import { RegisteredRuns } from '../../../src-main/service/capture/watching/registered-runs.ts';
import type { RuleWatchDeps } from '../../../src-main/service/capture/watching/rule-watch.ts';
import { ruleOf } from './scene.ts';

/** Looks at one run that find these signatures in turn. @returns the events of the run after each look. */
async function eventsOf(row: Partial<CaptureRunRow>, signatures: readonly string[]): Promise<readonly string[][]> {
  const events: string[] = [];
  const left = [...signatures];
  let time = 0;
  const deps = {
    captureRuns: {
      inStates: async () => [{ id: 1, name: 'run', missing_since: null, ...row }],
      look: async () => undefined,
      apply: async (_id: number, event: string) => events.push(event),
    },
    threads: {
      call: async () => ({
        runs: [{ exists: true, failure: null, signature: left.shift() } as ScannedRun],
        cost: { cpuMs: 0, elapsedMs: 0 },
      }),
    },
    clock: { steady: () => (time += 1000), now: () => time },
    changed: () => undefined,
  } as unknown as RuleWatchDeps;
  const runs = new RegisteredRuns(deps);
  const rule = { id: 1, settings: ruleOf('/folder') } as unknown as CaptureRuleRow;
  const after: string[][] = [];
  while (left.length > 0) {
    await runs.compare(rule, [], 1);
    after.push([...events]);
  }
  return after;
}

const registered = { state: 'registered', registered_signature: 'as registered' } as const;
const old = { state: 'skipped', reason: 'there-before', signature: 'as registered' } as const;

test.each([
  [
    'a look from which files are missing is no change',
    ['partial', 'as registered', 'partial', 'as registered'],
    [[], [], [], []],
  ],
  ['two looks that agree are one', ['other', 'other'], [[], ['*']]],
  ['a run that differs each time has changed after three looks', ['a', 'b', 'c'], [[], [], ['*']]],
])('%s', async (_what, signatures, expected) => {
  const as = (event: string) => expected.map((events) => events.map(() => event));
  expect(await eventsOf(registered, signatures)).toEqual(as('change'));
  expect(await eventsOf(old, signatures)).toEqual(as('retry'));
});
