import { describe, expect, test } from 'vitest';
import { fillTemplate } from '../../../src-main/service/capture/naming/fill-template.ts';
import { fieldsOfPath, parseLayout } from '../../../src-main/service/capture/naming/layout.ts';
import { captureChoices } from '../../../src-main/service/capture/naming/presets.ts';
import { readField } from '../../../src-main/service/capture/naming/read-field.ts';
import { nameInPattern } from '../../../src-shared/name-pattern.ts';

describe('layouts', () => {
  test.each([
    ['{name}', 'run-1', { name: 'run-1' }],
    ['{name}.d', 'sample 7.d', { name: 'sample 7' }],
    ['{user}/{name}', 'alice/run-1', { user: 'alice', name: 'run-1' }],
    [
      '{email}/{experiment}/{name}',
      'bob@lab.example/e1/run',
      { email: 'bob@lab.example', experiment: 'e1', name: 'run' },
    ],
    ['{user}/MyTardis/{experiment}/{name}', 'alice/mytardis/e1/r', { user: 'alice', experiment: 'e1', name: 'r' }],
    ['{group}/{instrument}/{user}/{name}', 'g/i/alice/r', { group: 'g', instrument: 'i', user: 'alice', name: 'r' }],
    ['20*/run_{name}_x', '2026/run_a_b_x', { name: 'a_b' }],
  ])('%s gives the fields of %s', (layout, path, fields) => {
    expect(fieldsOfPath(parseLayout(layout), path)).toEqual(fields);
  });

  test.each(['', '{user}', '{name}/x', '{name}/{name}', '{a}{b}/{name}', '../{name}', 'a//{name}'])(
    'the layout "%s" is refused',
    (layout) => {
      expect(() => parseLayout(layout)).toThrow(RangeError);
    },
  );

  test('there are the ten that facilities use, and each can be read', () => {
    expect(captureChoices.layouts).toHaveLength(10);
    for (const { layout, owner } of captureChoices.layouts) {
      const fields = parseLayout(layout).map(({ field }) => field);
      if (owner !== null) expect(fields).toContain(owner.slice(1, -1));
    }
  });
});

describe('names of files that belong together', () => {
  test.each([
    ['{name}.wiff*', 'run.1.wiff', 'run.1'],
    ['{name}.wiff*', 'run.1.wiff.scan', 'run.1'],
    ['scan_{name}_*.tif', 'scan_a_001.tif', 'a'],
    ['*.raw', 'run.RAW', 'run.RAW'],
    ['*.raw', 'run.txt', null],
    ['{name}.raw', '.raw', null],
  ])('%s takes %s for %s', (pattern, file, name) => {
    expect(nameInPattern(pattern, file)).toBe(name);
  });

  test('a long name with many stars is read in no time', () => {
    expect(nameInPattern(`${'*a'.repeat(20)}{name}${'*b'.repeat(20)}`, 'a'.repeat(250))).toBe(null);
  });
});

describe('fields of files', () => {
  test.each([
    ['a.json', '{"sample": {"id": 7}}', 'sample.id', '7'],
    ['a.json', '{"sample": {"id": {}}}', 'sample.id', null],
    ['a.json', '{', 'sample', null],
    ['a.json', '{"a": 1}', '__proto__.x', null],
    ['run.xml', '<Run><Sample>QMR &amp; co</Sample></Run>', 'Sample', 'QMR & co'],
    ['run.xml', '<?xml?><Run Id="7"/>', 'Id', '7'],
    ['run.xml', '<Run><SampleId>x</SampleId></Run>', 'Sample', null],
    ['meta.txt', 'Operator: alice\r\nSample = "QMR 7"\r\n', 'sample', 'QMR 7'],
    ['acqus', '##$NUC1= <13C>\n', 'NUC1', '13C'],
    ['sheet.csv', 'Experiment Name,qmr-114,,\n', 'Experiment Name', 'qmr-114'],
    ['sheet.tsv', 'id\t7\tx', 'id', '7'],
    ['meta.ini', '[run]\nid=\n', 'id', null],
  ])('%s: %s has %s', (file, text, key, value) => {
    expect(readField(file, text, key)).toBe(value);
  });
});

test('a template needs all of its fields', () => {
  expect(fillTemplate('{a}-{b}', { a: '1', b: '2' })).toBe('1-2');
  expect(() => fillTemplate('{toString}', {})).toThrow('{toString} has no value.');
});
