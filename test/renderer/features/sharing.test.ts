import { expect, test } from 'vitest';
import { reachableUrl } from '../../../src-renderer/context/reachable.ts';
import { readSharingSearch } from '../../../src-renderer/features/sharing/sharing-search.ts';
import {
  addressChoices,
  credentialWords,
  outgoingWords,
  sharedFromElsewhere,
  sharingSummary,
} from '../../../src-renderer/features/sharing/sharing-words.ts';

test('copied addresses are those that other machines can use, if there are any', () => {
  const base = 'http://127.0.0.1:7420';
  const shared = { base_url: base, shared_url: 'http://192.168.4.20:7420' };
  expect(reachableUrl(`${base}/measurements/qmr-114`, shared)).toBe('http://192.168.4.20:7420/measurements/qmr-114');
  expect(reachableUrl(base, shared)).toBe('http://192.168.4.20:7420');
  expect(reachableUrl(`${base}/measurements/qmr-114`, { ...shared, shared_url: null })).toBe(
    `${base}/measurements/qmr-114`,
  );
  expect(reachableUrl(`${base}/measurements/qmr-114`, undefined)).toBe(`${base}/measurements/qmr-114`);
  // The key in a DSN stays, and is not compared.
  expect(reachableUrl('http://bpk_1:x@127.0.0.1:7420/api/7', shared)).toBe('http://bpk_1:x@192.168.4.20:7420/api/7');
  expect(reachableUrl('http://127.0.0.1:7420@elsewhere.example/x', shared)).toBe(
    'http://127.0.0.1:7420@elsewhere.example/x',
  );
  // Only a prefix of another address.
  expect(reachableUrl('http://127.0.0.1:74201/x', shared)).toBe('http://127.0.0.1:74201/x');
  expect(reachableUrl('https://elsewhere.example/x', shared)).toBe('https://elsewhere.example/x');
});

test('the state of sharing is one of: off, on, or on and not working', () => {
  expect(sharingSummary({ on: false, wanted: false, problem: null })).toEqual({ tone: 'quiet', word: 'not shared' });
  expect(sharingSummary({ on: true, wanted: true, problem: null })).toEqual({ tone: 'ok', word: 'shared' });
  expect(sharingSummary({ on: true, wanted: true, problem: 'not-reachable' }).tone).toBe('bad');
  expect(sharingSummary({ on: false, wanted: true, problem: 'address-gone' })).toEqual({
    tone: 'bad',
    word: 'on, but not shared now',
  });
});

test('a chosen address stays among the choices while it is unavailable', () => {
  const eth0 = { name: 'eth0', address: '192.168.4.20', family: 'IPv4' } as const;
  expect(addressChoices({ interfaces: [eth0], address: null }).map(({ value }) => value)).toEqual(['', '192.168.4.20']);
  expect(addressChoices({ interfaces: [eth0], address: '192.168.4.20' })).toHaveLength(2);
  expect(addressChoices({ interfaces: [eth0], address: '10.0.0.7' }).at(-1)).toEqual({
    value: '10.0.0.7',
    label: '10.0.0.7 (not available now)',
  });
});

test('a browser says where sharing is switched', () => {
  const off = { shared: false, shared_url: null, base_url: 'http://127.0.0.1:7420' };
  expect(sharedFromElsewhere(off)).toContain('--host');
  expect(sharedFromElsewhere({ ...off, shared: true, shared_url: 'http://192.168.4.20:7420' })).toContain(
    'http://192.168.4.20:7420',
  );
  expect(sharedFromElsewhere({ ...off, shared: true, base_url: 'http://bench.example' })).toContain(
    'http://bench.example',
  );
});

test('running transfers are described', () => {
  const file = { what: 'file', path: 'raw/a.dat', range: 'bytes=0-1023', short_answers: null } as const;
  expect(outgoingWords(file)).toBe('raw/a.dat, bytes 0 to 1\u202f023');
  expect(outgoingWords({ ...file, path: null, range: null })).toBe('A file');
  expect(outgoingWords({ ...file, short_answers: 1204 })).toBe('1\u202f204 small pieces of files');
  expect(outgoingWords({ ...file, what: 'archive', short_answers: 1 })).toBe('1 small piece of the ZIP');
  expect(outgoingWords({ ...file, what: 'manifest', short_answers: 2 })).toBe('2 manifests');
  expect(credentialWords({ token_name: null, application_name: 'notebook' })).toBe('notebook');
});

test('the address of the screen keeps known parameters', () => {
  expect(readSharingSearch({ tab: 'before', search: 114, page: 2, x: 1 })).toEqual({
    tab: 'before',
    view: 'transfers',
    search: '114',
    page: 2,
  });
  expect(readSharingSearch({ tab: 'now', search: '', page: 1 })).toEqual({});
  expect(readSharingSearch({ page: 1.5 })).toEqual({});
});
