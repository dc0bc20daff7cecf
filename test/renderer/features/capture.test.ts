import { describe, expect, test } from 'vitest';
import type { CaptureReason } from '../../../src-renderer/api/requests/types.ts';
import { readCaptureSearch } from '../../../src-renderer/features/capture/runs/capture-search.ts';
import { otherId, runOffers } from '../../../src-renderer/features/capture/runs/run-offers.ts';
import { rulesInOrder } from '../../../src-renderer/features/capture/rules/rule-order.ts';
import {
  captureStateWords,
  completeWords,
  minutesWords,
  outcomeWords,
  signWords,
  templateFields,
  whyNotNow,
  whyOf,
} from '../../../src-renderer/words/capture-words.ts';
import { captureStates } from '../../../src-shared/states/capture-states.ts';
import { CaptureReason as reasons } from '../../../src-main/service/contract/capture/runs.ts';
import { captureRule } from '../fakes/fake-capture-data.ts';

const allReasons = reasons.enum as readonly CaptureReason[];
const noCounts = { all: 0, needs_you: 0, waiting: 0, done: 0, skipped: 0 };

describe('words', () => {
  test('states that need a person are marked, and no others', () => {
    const asking = captureStates.filter((state) => captureStateWords[state].kind === 'warn');
    expect(asking).toEqual(['needs-you', 'changed-after']);
    for (const state of captureStates) expect(captureStateWords[state].word).toMatch(/^[A-Z][a-z ]+$/);
  });

  test('each reason is a plain sentence, with what to do where something can be done', () => {
    expect(allReasons.length).toBeGreaterThan(10);
    for (const reason of allReasons) {
      expect(whyOf({ reason, message: null })).toMatch(/^[A-Z][^!]+\.$/);
      expect(whyNotNow({ reason, message: null })).toMatch(/^[A-Z][^!]+\.$/);
    }
    expect(whyOf({ reason: 'id-taken', message: null })).toBe(
      'Another measurement has its id. Retry with another one.',
    );
    // In a trial there is nothing to retry yet.
    expect(whyNotNow({ reason: 'id-taken', message: null })).toBe('Another measurement has its id.');
  });

  test('the message of the service takes precedence', () => {
    expect(whyOf({ reason: 'failed', message: 'The disk is full.' })).toBe('The disk is full.');
    expect(whyOf({ reason: null, message: null })).toBeNull();
  });

  test.each([
    [10, '10 minutes'],
    [1, '1 minute'],
    [0.5, '30 seconds'],
    [2.5, '2.5 minutes'],
    [60, '1 hour'],
    [90, '90 minutes'],
    [1440, '24 hours'],
  ])('%d minutes are "%s"', (minutes, words) => {
    expect(minutesWords(minutes)).toBe(words);
  });

  test('signs and outcomes of a rule are told in a few words', () => {
    const marker = { sign: 'marker', markers: ['a.txt', 'b.txt'], minutes: 0 } as const;
    expect(signWords(marker)).toBe('a.txt and b.txt');
    expect(completeWords({ ...marker, markers: ['CopyComplete.txt'], minutes: 1 })).toBe(
      'Complete with CopyComplete.txt, then quiet for 1 minute',
    );
    expect(completeWords({ ...marker, sign: 'moved-in' })).toBe('Complete when moved in');
    expect(completeWords({ ...marker, sign: 'quiet', minutes: 10 })).toBe('Complete when quiet for 10 minutes');
    expect(outcomeWords(captureRule(1))).toBe('for {user} · left in place · copy on Facility');
    expect(outcomeWords(captureRule(1, { push_server: null }))).toContain('copy on a server that was removed');
    expect(outcomeWords(captureRule(1, { copy: true, push_to: null, push_server: null, owner: 'alice' }))).toBe(
      'for alice · copied into the library',
    );
  });

  test('fields of templates are those of every rule, of the layout and of files, each once', () => {
    expect(templateFields('{user}/{project}/{name}', [{ name: 'sample' }, { name: ' ' }])).toEqual([
      'name',
      'parent',
      'date',
      'rule',
      'user',
      'project',
      'sample',
    ]);
  });
});

test('valid parameters of an address are accepted', () => {
  expect(readCaptureSearch({ rule: 3, filter: 'needs-you', page: 2, search: 'A01234', other: 1 })).toEqual({
    rule: 3,
    filter: 'needs-you',
    page: 2,
    search: 'A01234',
  });
  expect(readCaptureSearch({ rule: '3', search: 2611 })).toEqual({ rule: 3, search: '2611' });
  expect(readCaptureSearch({ rule: null, filter: 'all', page: 1, search: '' })).toEqual({});
  expect(readCaptureSearch({ rule: -1, filter: 'broken', page: 0.5, search: { a: 1 } })).toEqual({});
  expect(readCaptureSearch({ search: 'x'.repeat(500) }).search).toHaveLength(200);
});

describe('what can be done with a run', () => {
  test.each([
    ['seen', null, ['register', 'skip']],
    ['growing', 'no-sign', ['register', 'skip']],
    ['quiet', null, ['register', 'skip']],
    ['hashing', null, ['skip']],
    ['registered', null, []],
    ['pushed', null, []],
    ['needs-you', 'failed', ['retry', 'skip']],
    ['needs-you', 'id-taken', ['retry-as', 'skip']],
    ['needs-you', 'no-id', ['retry-as', 'skip']],
    ['needs-you', 'refused-names', ['retry', 'leave-out', 'skip']],
    ['changed-after', 'changed', ['another', 'keep']],
    ['skipped', 'there-before', ['take-up']],
    ['gone', null, []],
  ] as const)('%s because of %s', (state, reason, offered) => {
    expect(runOffers({ state, reason })).toEqual(offered);
  });

  test('another id is proposed that is valid and not the same', () => {
    expect(otherId({ name: 'bob/Übung 3', measurement_id: null })).toBe('Ubung-3-2');
    expect(otherId({ name: 'a/b', measurement_id: 'NovaSeq-1' })).toBe('NovaSeq-1-2');
    expect(otherId({ name: 'a', measurement_id: 'x'.repeat(128) })).toHaveLength(122);
  });
});

test('rules whose folder is away come first, then those whose runs need somebody, then by name', () => {
  const rules = [
    captureRule(1, { name: 'b' }),
    captureRule(2, { name: 'a' }),
    captureRule(3, { name: 'd', counts: { ...noCounts, needs_you: 1 } }),
    captureRule(4, { name: 'c', state: 'unreachable' }),
  ];
  expect(rulesInOrder(rules).map(({ name }) => name)).toEqual(['c', 'd', 'a', 'b']);
});
