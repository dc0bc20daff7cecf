import { describe, expect, test } from 'vitest';
import { measurementTransitions } from '../../../src-main/service/measurements/store/measurement-states.ts';
import { removedTransitions } from '../../../src-main/service/measurements/removed/store/removed-states.ts';
import { transferTransitions } from '../../../src-main/service/measurements/transfers/transfer-states.ts';
import { deviceTransitions } from '../../../src-main/service/oauth/store/device-states.ts';
import {
  codeTransitions,
  grantTransitions,
  refreshTransitions,
} from '../../../src-main/service/oauth/store/grant-states.ts';
import { benchTransitions } from '../../../src-shared/states/bench-states.ts';
import { captureTransitions } from '../../../src-shared/states/capture-states.ts';
import { copyTransitions } from '../../../src-shared/states/copy-states.ts';
import { fetchTransitions } from '../../../src-shared/states/fetch-states.ts';
import { jobTransitions } from '../../../src-shared/states/job-states.ts';
import {
  ImpossibleEvent,
  offers,
  requirePossible,
  statesBefore,
  type Transitions,
} from '../../../src-shared/states/transitions.ts';

const door: Transitions<'open' | 'shut' | 'gone', 'pull' | 'push' | 'knock'> = {
  open: { pull: 'ignored', push: 'shut', knock: 'impossible' },
  shut: { pull: 'open', push: 'refused', knock: 'ignored' },
  gone: { pull: 'refused', push: 'ignored', knock: 'ignored' },
};

test('a state offers the events that change it', () => {
  expect(statesBefore(door, 'pull')).toEqual(['shut']);
  expect(statesBefore(door, 'push')).toEqual(['open']);
  expect(statesBefore(door, 'knock')).toEqual([]);
  expect([offers(door, 'shut', 'pull'), offers(door, 'open', 'pull'), offers(door, 'gone', 'pull')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('an impossible event is an error that names it', () => {
  expect(() => requirePossible(door, 'open', 'knock')).toThrow(ImpossibleEvent);
  expect(() => requirePossible(door, 'open', 'knock')).toThrow(/'knock'.*'open'/);
  requirePossible(door, 'shut', 'knock');
  requirePossible(door, 'gone', 'pull');
});

describe.each([
  ['transfer', transferTransitions, ['running']],
  ['grant', grantTransitions, ['active']],
  ['code', codeTransitions, ['unused', 'expired', 'ended']],
  ['refresh token', refreshTransitions, ['current', 'expired', 'ended']],
  ['device code', deviceTransitions, ['waiting', 'expired']],
  ['fetch', fetchTransitions, ['queued']],
  ['copy', copyTransitions, ['queued']],
  ['captured run', captureTransitions, ['seen']],
  ['bench', benchTransitions, ['reporting']],
  ['job', jobTransitions, ['queued']],
  ['measurement', measurementTransitions, ['registering']],
  ['removed measurement', removedTransitions, ['leaving']],
] as const)('the table of a %s', (_name, table, initial) => {
  const rows = Object.entries(table) as [string, Readonly<Record<string, string>>][];
  const next = (state: string): readonly string[] =>
    Object.values(rows.find(([name]) => name === state)?.[1] ?? {}).filter((cell) => cell in table);

  test('has a cell for each state and event, and no other word', () => {
    const events = Object.keys(rows[0]?.[1] ?? {}).toSorted();
    for (const [, cells] of rows) {
      expect(Object.keys(cells).toSorted()).toEqual(events);
      for (const cell of Object.values(cells))
        expect([...rows.map(([name]) => name), 'as-ended', 'ignored', 'refused', 'impossible']).toContain(cell);
    }
  });

  test('reaches each state', () => {
    const reached = new Set<string>(initial);
    for (const state of reached) for (const after of next(state)) reached.add(after);
    expect([...reached].toSorted()).toEqual(rows.map(([name]) => name).toSorted());
  });
});
