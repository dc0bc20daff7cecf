import { describe, expect, test } from 'vitest';
import { Compile } from 'typebox/compile';
import {
  draftOf,
  faultsOf,
  hasHiddenFault,
  inputOf,
  isReady,
  nameOfFolder,
  newDraft,
  presetOf,
  withFolder,
  withLayout,
  withPreset,
  type RuleDraft,
} from '../../../src-renderer/features/capture/dialog/rule-draft.ts';
import { CaptureRuleInput } from '../../../src-main/service/contract/capture/rules.ts';
import { captureRule, sampleChoices } from '../fakes/fake-capture-data.ts';

const contract = Compile(CaptureRuleInput);
const { presets, layouts } = sampleChoices;
const fresh = newDraft(sampleChoices, 'alice');
const filled = withFolder(fresh, '/data/runs');

test('a new rule has the signs of the first preset and the signed-in user as its owner', () => {
  expect(fresh).toMatchObject({ owner: 'alice', sign: 'quiet', minutes: '10', copy: false, existing: false });
  expect(isReady(fresh)).toBe(false);
  expect(faultsOf(fresh)).toEqual({});
  expect(isReady(filled)).toBe(true);
  expect(contract.Check(inputOf(filled))).toBe(true);
});

test('an existing rule is sent back as it was', () => {
  const rule = captureRule(1, { readers: ['bob', 'carol'], unfinished: ['*.lock'], push_project: 'lab/x' });
  const input = inputOf(draftOf(rule));
  expect(contract.Check(input)).toBe(true);
  expect(rule).toMatchObject(input);
});

describe('presets', () => {
  test('set the signs, and are known again until one of them is changed', () => {
    const [, illumina] = presets;
    if (illumina === undefined) throw new Error('no preset');
    const draft = withPreset(filled, illumina);
    expect(draft).toMatchObject({ sign: 'marker', markers: 'CopyComplete.txt', name: 'runs', owner: 'alice' });
    expect(presetOf(draft, presets)?.preset).toBe('illumina');
    expect(presetOf({ ...draft, layout: '{user}/{name}' }, presets)?.preset).toBe('illumina');
    expect(presetOf({ ...draft, minutes: '7' }, presets)).toBeUndefined();
  });
});

describe('the name', () => {
  test.each([
    ['/mnt/instruments/NovaSeq 2/', 'NovaSeq 2'],
    [String.raw`D:\Data\Messgerät`, 'Messgerat'],
    ['/mnt/_raw (new)', 'raw -new'],
    ['/', ''],
    ['/data/測定', ''],
  ])('of %s is proposed as "%s"', (folder, name) => {
    expect(nameOfFolder(folder)).toBe(name);
  });

  test('follows the folder until it is typed', () => {
    const moved = withFolder(filled, '/data/other');
    expect([filled.name, moved.name]).toEqual(['runs', 'other']);
    expect(withFolder({ ...filled, name: 'Mine' }, '/data/other').name).toBe('Mine');
  });
});

test('a layout brings its owner, unless one was typed', () => {
  const [plain, byUser] = layouts;
  if (plain === undefined || byUser === undefined) throw new Error('no layouts');
  const changed = withLayout(filled, byUser, layouts, 'alice');
  expect(changed).toMatchObject({ layout: '{user}/{name}', owner: '{user}' });
  expect(withLayout(changed, plain, layouts, 'alice').owner).toBe('alice');
  expect(withLayout({ ...filled, owner: 'bob' }, byUser, layouts, 'alice').owner).toBe('bob');
});

test('what the names of runs end in stays in another layout', () => {
  const [, byUser] = layouts;
  if (byUser === undefined) throw new Error('no layouts');
  const bruker = { ...filled, layout: '{name}.d' };
  expect(withLayout(bruker, byUser, layouts, 'alice').layout).toBe('{user}/{name}.d');
  expect(presetOf(filled, presets)?.preset).toBe('generic');
  expect(presetOf(bruker, presets)).toBeUndefined();
});

test('what is not used is not sent, and lists are cleaned', () => {
  const input = inputOf({
    ...filled,
    sign: 'moved-in',
    markers: 'left.txt',
    pattern: '*.raw',
    ignore: ' *.tmp \n\n*.tmp\nA/',
    readers: 'bob,  carol\nbob',
    project: ' ',
    push_project: 'lab/x',
    fields: [
      { name: '', from: '', key: '' },
      { name: ' a ', from: ' b ', key: ' c ' },
    ],
  });
  expect(input).toMatchObject({
    markers: [],
    pattern: null,
    ignore: ['*.tmp', 'A/'],
    readers: ['bob', 'carol'],
    project: null,
    push_project: null,
    fields: [{ name: 'a', from: 'b', key: 'c' }],
  });
});

test.each<[Partial<RuleDraft>, keyof RuleDraft]>([
  [{ name: '-x' }, 'name'],
  [{ name: 'a/b' }, 'name'],
  [{ layout: ' ' }, 'layout'],
  [{ unit: 'file', pattern: '' }, 'pattern'],
  [{ unit: 'files', pattern: '*.raw' }, 'pattern'],
  [{ sign: 'marker', markers: '\n' }, 'markers'],
  [{ unfinished: 'x'.repeat(201) }, 'unfinished'],
  [{ minutes: 'ten' }, 'minutes'],
  [{ minutes: '' }, 'minutes'],
  [{ minutes: '10081' }, 'minutes'],
  [{ ignore: Array.from({ length: 101 }, (_, at) => `p${at}`).join('\n') }, 'ignore'],
  [{ id_template: '' }, 'id_template'],
  [{ title_template: '' }, 'title_template'],
  [{ fields: [{ name: 'Sample', from: 'a.xml', key: 'k' }] }, 'fields'],
  [{ fields: [{ name: 'sample', from: '', key: 'k' }] }, 'fields'],
])('%o has a fault in its %s', (change, field) => {
  const faults = faultsOf({ ...filled, ...change });
  expect(Object.keys(faults)).toEqual([field]);
  expect(isReady({ ...filled, ...change })).toBe(false);
  expect(hasHiddenFault(faults)).toBe(field !== 'name');
});

test('minutes may have a comma, and fit the contract', () => {
  const input = inputOf({ ...filled, minutes: ' 2,5 ' });
  expect(input.minutes).toBe(2.5);
  expect(contract.Check(input)).toBe(true);
});
