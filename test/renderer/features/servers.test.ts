import { expect, test } from 'vitest';
import {
  faultOfAddress,
  isReadable,
  readServersSearch,
} from '../../../src-renderer/features/servers/servers-search.ts';

test('a link fills in an address and nothing else', () => {
  expect(readServersSearch({ add: ' https://bench-3.lab.example ', token: 'x', id: 4 })).toEqual({
    add: 'https://bench-3.lab.example',
  });
  for (const add of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://alice:secret@bench.example',
    'bench-3',
    '',
    7,
    ['https://a.example'],
  ]) {
    expect(readServersSearch({ add })).toEqual({});
  }
  expect(readServersSearch({ add: `https://a.example/${'x'.repeat(3000)}` })).toEqual({});
});

test('an invalid address is reported with its reason', () => {
  expect(faultOfAddress('https://instruments.example/data')).toBeNull();
  expect(faultOfAddress('http://[fe80::1]:7420')).toBeNull();
  expect(faultOfAddress('ftp://a.example')).toMatch(/whole address/);
  expect(faultOfAddress('https://a.example/?x=1')).toMatch(/without \?/);
  expect(faultOfAddress('https://a:b@a.example')).toMatch(/its own field/);
});

test.each([
  ['http://192.168.4.17:7420', true],
  ['http://bench-3.lab.example', true],
  ['http://127.0.0.1:7420', false],
  ['http://localhost:7420', false],
  ['https://bench-3.lab.example', false],
  ['not an address', false],
])('a token sent to %s can be read on the network: %s', (address, readable) => {
  expect(isReadable(address)).toBe(readable);
});
