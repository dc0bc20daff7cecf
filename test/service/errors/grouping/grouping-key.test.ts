import { expect, test } from 'vitest';
import type { ErrorEvent, ErrorException, StackFrame } from '../../../../src-main/service/contract/errors.ts';
import { groupingKey } from '../../../../src-main/service/errors/grouping/grouping-key.ts';
import { culpritOf, titleOf } from '../../../../src-main/service/errors/grouping/title.ts';
import { readCases } from '../../../fixtures/grouping/read-cases.ts';

const [pair] = readCases(
  'python',
  '# one\n@ ValueError: no signal\n+ read ; bench.camera ; bench/camera.py:7\n= nothing | no signal => no signal',
);
if (!pair) throw new Error('no event');
const [base] = pair.events;
const [exception] = base.exceptions;
const [frame] = exception?.frames ?? [];
if (!exception || !frame) throw new Error('no frame');

const hashOf = (changes: Partial<ErrorEvent>) => groupingKey({ ...base, ...changes }).hash.toString('hex');
const withException = (changes: Partial<ErrorException>) => hashOf({ exceptions: [{ ...exception, ...changes }] });
const withFrame = (changes: Partial<StackFrame>) => withException({ frames: [{ ...frame, ...changes }] });
const message = (formatted: string, template: string | null = null) => ({ formatted, template, params: null });

test('a key has a version, 16 bytes and an explanation', () => {
  const key = groupingKey(base);
  expect(key.version).toBe(1);
  expect(key.hash).toHaveLength(16);
  expect(key.parts).toEqual(['exception', 'python', 'type ValueError', 'frame bench.camera read']);
});

test('is made of the first of fingerprint, exceptions, message, and logger with level', () => {
  const kind = (changes: Partial<ErrorEvent>) => groupingKey({ ...base, ...changes }).parts[0];
  expect(kind({ fingerprint: ['mine'], message: message('x') })).toBe('part mine');
  expect(kind({ message: message('x') })).toBe('exception');
  expect(kind({ exceptions: [], message: message('x') })).toBe('message');
  expect(kind({ exceptions: [], message: message(' \n ') })).toBe('other');
  const thread = { id: '1', name: null, crashed: true, current: true, frames: [frame] };
  expect(kind({ exceptions: [], threads: [thread] })).toBe('stack');
  const bare = { exceptions: [], logger: 'bench' };
  expect(hashOf(bare)).toBe(hashOf({ ...bare, release: '2' }));
  expect(hashOf(bare)).not.toBe(hashOf({ ...bare, level: 'info' }));
  expect(hashOf(bare)).not.toBe(hashOf({ ...bare, logger: 'other' }));
});

test('time, place and user are not part of the key', () => {
  const user = { id: 'alice', username: null, email: null, ip_address: null, more: {} };
  const elsewhere: Partial<ErrorEvent> = {
    environment: 'lab',
    release: '9',
    server_name: 'b',
    user,
    level: 'fatal',
    transaction: '/x',
    logger: 'x',
    tags: [['a', 'b']],
  };
  expect(hashOf(elsewhere)).toBe(hashOf({}));
  expect(withFrame({ line: 9, column: 4, abs_path: '/x', vars: { a: 1 } })).toBe(hashOf({}));
  expect(hashOf({ platform: 'ruby' })).not.toBe(hashOf({}));
});

test('an empty fingerprint, or only the default, is ignored', () => {
  expect(hashOf({ fingerprint: ['{{ default }}'] })).toBe(hashOf({}));
  expect(hashOf({ fingerprint: ['{{default}}'] })).toBe(hashOf({ fingerprint: [] }));
});

test('the parts of a fingerprint are delimited unambiguously', () => {
  expect(hashOf({ fingerprint: ['a', 'bc'] })).not.toBe(hashOf({ fingerprint: ['ab', 'c'] }));
  expect(hashOf({ fingerprint: ['a', 'bpart c'] })).not.toBe(hashOf({ fingerprint: ['a', 'b', 'c'] }));
  expect(hashOf({ fingerprint: ['a","b'] })).not.toBe(hashOf({ fingerprint: ['a', 'b'] }));
  expect(hashOf({ fingerprint: ['{{ default }}', 'a'] })).not.toBe(hashOf({ fingerprint: ['a'] }));
  expect(hashOf({ fingerprint: ['{{ default }}', 'a'] })).not.toBe(
    hashOf({ fingerprint: [...groupingKey(base).parts.map((part) => `default ${part}`), 'a'] }),
  );
  expect(hashOf({ fingerprint: [...groupingKey(base).parts] })).not.toBe(hashOf({}));
});

test('the type of a synthetic exception is not part of it', () => {
  expect(withException({ synthetic: true, type: 'A' })).toBe(withException({ synthetic: true, type: 'B' }));
  expect(withException({ type: 'A' })).not.toBe(withException({ type: 'B' }));
});

test('a message is grouped by its template, whatever its parameters', () => {
  const one = { exceptions: [] };
  expect(hashOf({ ...one, message: message('alpha lost', '%s lost') })).toBe(
    hashOf({ ...one, message: message('beta lost', '%s lost') }),
  );
  expect(hashOf({ ...one, message: message('run 1 lost') })).toBe(hashOf({ ...one, message: message('run 2 lost') }));
  expect(hashOf({ ...one, message: message('run 1 lost') })).not.toBe(
    hashOf({ ...one, message: message('run 1 found') }),
  );
});

test('the title is that of the last exception, in one line and without bidirectional controls', () => {
  const cause = { ...exception, type: 'OSError', value: 'gone' };
  expect(titleOf({ ...base, exceptions: [cause, exception] })).toEqual({ type: 'ValueError', value: 'no signal' });
  expect(titleOf({ ...base, exceptions: [{ ...exception, type: null, value: 'a\n\tb\u0000\u202Ec' }] })).toEqual({
    type: 'Error',
    value: 'a b c',
  });
  expect(titleOf({ ...base, exceptions: [], message: message(' hello\nagain') })).toEqual({
    type: 'hello again',
    value: '',
  });
  expect(
    titleOf({ ...base, exceptions: [{ ...exception, type: null, value: 'hello' }], message: message('hello') }),
  ).toEqual({ type: 'hello', value: '' });
  expect(titleOf({ ...base, exceptions: [] })).toEqual({ type: 'Event without a message (error)', value: '' });
  expect(titleOf({ ...base, exceptions: [{ ...exception, value: 'x'.repeat(5000) }] }).value).toHaveLength(1024);
});

test('the culprit is the transaction, otherwise the newest frame of the program', () => {
  const library = { ...frame, in_app: false, function: 'recv', module: 'socket' };
  expect(culpritOf({ ...base, transaction: '/runs' })).toBe('/runs');
  expect(culpritOf(base)).toBe('read(bench.camera)');
  expect(culpritOf({ ...base, exceptions: [{ ...exception, frames: [frame, library] }] })).toBe('read(bench.camera)');
  expect(culpritOf({ ...base, exceptions: [{ ...exception, frames: [library] }] })).toBe('recv(socket)');
  expect(culpritOf({ ...base, exceptions: [exception, { ...exception, frames: [] }] })).toBe('read(bench.camera)');
  expect(culpritOf({ ...base, exceptions: [] })).toBe('');
});

test('a message that is also sent as an exception without a type is a message', () => {
  const sent = (text: string) => ({
    message: message(text),
    exceptions: [{ ...exception, type: null, value: text, synthetic: true }],
  });
  expect(hashOf(sent('run 1 lost'))).toBe(hashOf({ exceptions: [], message: message('run 2 lost') }));
  expect(hashOf(sent('run 1 lost'))).not.toBe(hashOf(sent('run 1 found')));
});
