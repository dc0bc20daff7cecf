import { expect, test } from 'vitest';
import { baseName, fileUrl } from '../../../src-renderer/features/measurements/files/file-address.ts';
import { byReason } from '../../../src-renderer/features/measurements/dialogs/warnings.ts';
import { describeRange, describeTransfer, outcomeOf } from '../../../src-renderer/words/transfer-words.ts';
import { describeProgress } from '../../../src-renderer/words/job-words.ts';
import { curlDownload, curlRead, shellWord } from '../../../src-shared/format/commands.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

test('a copied command contains no token and quotes any file name', () => {
  const line = curlDownload('http://127.0.0.1:7420/measurements/m/files/3', "it's a frame.dat", null);
  expect(line).toBe(
    `curl -f -C - -H "Authorization: Bearer $BENCHPORT_TOKEN" -o 'it'\\''s a frame.dat' http://127.0.0.1:7420/measurements/m/files/3`,
  );
  const pin = 'sha256//4osQ+7/EqJ0d1VYkH9wOlnBBjzBCmCm3c4yqxOaZs5g=';
  expect(curlDownload('https://192.168.4.20:7420/measurements/m', 'm.zip', pin)).toContain(
    ` -k --pinnedpubkey ${pin} -H `,
  );
  // Without TLS, or with an authority's certificate, never -k.
  for (const [url, known] of [
    ['http://192.168.4.20:7420', pin],
    ['https://lab.example', null],
  ] as const)
    expect(curlRead(url, known)).not.toContain('-k');
  expect(shellWord('$(reboot)')).toBe("'$(reboot)'");
  expect(shellWord('')).toBe("''");
  expect(shellWord('a\nb')).toBe("'a\nb'");
});

test('URLs of files are built on that of the measurement, also under a path prefix', () => {
  expect(fileUrl({ download_url: 'https://lab.example/bp/measurements/m' }, 12)).toBe(
    'https://lab.example/bp/measurements/m/files/12',
  );
  expect(baseName('raw/a/b.dat')).toBe('b.dat');
  expect(baseName('b.dat')).toBe('b.dat');
});

test('transfers are described', () => {
  expect(describeTransfer({ what: 'archive', file_index: null, path: null, range: null })).toBe('ZIP of all files');
  const ofSome = (range: string) => describeTransfer({ what: 'archive', file_index: null, path: null, range });
  expect(ofSome('files=0-3,7')).toBe('ZIP of files 0-3, 7');
  expect(ofSome('files=7 bytes=100-')).toBe('ZIP of file 7, from byte 100');
  const many = Array.from({ length: 100 }, (_, at) => at * 2).join();
  expect(ofSome(`files=${many}`)).toBe('ZIP of files in 100 ranges');
  expect(describeTransfer({ what: 'file', file_index: 1204, path: 'raw/frame.dat', range: 'bytes=0-1048575' })).toBe(
    'raw/frame.dat, bytes 0 to 1\u202f048\u202f575',
  );
  expect(describeTransfer({ what: 'file', file_index: 1204, path: null, range: null })).toBe('File 1\u202f204');
  const transfer = {
    started_at: '2026-11-21T11:00:00.000Z',
    ended_at: '2026-11-21T11:01:00.000Z',
    outcome: 'complete',
    status: 206,
  };
  expect(outcomeOf(transfer, now).kind).toBe('good');
  expect(outcomeOf({ ...transfer, status: 409, outcome: 'file-changed' }, now)).toEqual({
    kind: 'bad',
    word: 'refused with 409',
  });
  expect(outcomeOf({ ...transfer, outcome: 'revoked' }, now)).toEqual({ kind: 'bad', word: 'access was revoked' });
  expect(outcomeOf({ ...transfer, outcome: 'handed-over' }, now)).toEqual({ kind: 'good', word: 'sent by the proxy' });
  expect(outcomeOf({ ...transfer, ended_at: null }, now).kind).toBe('running');
  expect(outcomeOf({ ...transfer, ended_at: null, started_at: '2026-11-01T11:00:00.000Z' }, now).kind).toBe('bad');
});

test('progress has share, rate and remaining time', () => {
  const job = {
    id: 1,
    kind: 'register' as const,
    measurement_id: 'm',
    state: 'running' as const,
    files_done: 1,
    files_total: 2,
    bytes_done: 2 ** 30,
    bytes_total: 5 * 2 ** 30,
    bytes_per_second: 2 ** 24,
    message: null,
    result: null,
    created_at: '',
    ended_at: null,
  };
  expect(describeProgress(job, 'iec')).toBe('1.0 GiB of 5.0 GiB · 16.0 MiB/s · 4 min left');
  expect(describeProgress({ ...job, bytes_per_second: 0 }, 'iec')).toBe('1.0 GiB of 5.0 GiB');
  expect(describeProgress({ ...job, state: 'paused' }, 'si')).toBe('paused at 1.1 GB of 5.4 GB');
});

test.each([
  ['bytes=0-9', 'bytes 0 to 9'],
  ['bytes=1048576-', 'from byte 1\u202f048\u202f576'],
  ['bytes=-500', 'the last 500 bytes'],
  ['Bytes=-1', 'the last 1 byte'],
  ['bytes=0-1, 5-6,9-', '3 ranges'],
  ['bytes=-', 'bytes=-'],
  ['lines=1-2', 'lines=1-2'],
])('the range %s is described as "%s"', (header, words) => {
  expect(describeRange(header)).toBe(words);
});

test('warnings of several names are shown once, with the names', () => {
  const fresh = ['a: b.txt', 'c', 'd', 'e'].map((name) => `${name}: it was changed a moment ago`);
  const others = ['x: it is empty', 'y: it is empty'];
  expect(byReason([...others, ...fresh])).toEqual({
    single: others,
    shared: [{ reason: 'it was changed a moment ago', names: ['a: b.txt', 'c', 'd', 'e'] }],
  });
});
