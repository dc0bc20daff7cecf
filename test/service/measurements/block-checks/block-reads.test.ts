import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addMeasurement } from '../../fixture-measurement.ts';
import { useTestService, useUser } from '../../use-service.ts';

const mebibyte = 1024 * 1024;
const bytes = Buffer.alloc(16 * mebibyte, Buffer.from(Array.from({ length: 65_521 }, (_, i) => (i * 31) & 0xff)));
const service = useTestService();
const alice = useUser(service, 'alice');

/** Bytes that this process has read by system calls (proc_pid_io(5)). */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

async function range(from: number): Promise<void> {
  const response = await alice.get('/measurements/m/files/0', { range: `bytes=${from}-${from + 9}` });
  expect(response.status).toBe(206);
  expect(bytes.subarray(from, from + 10).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
}

test.skipIf(process.platform !== 'linux')(
  'M2: a thousand requests for ranges of one block, a hundred at a time, read it once',
  async () => {
    await addMeasurement(service, alice.id, 'm', [{ path: 'a.bin', bytes }]);
    await range(0);
    const before = bytesRead();
    for (let from = 9 * mebibyte; from < 9 * mebibyte + 1000; from += 100)
      await Promise.all(Array.from({ length: 100 }, (_, i) => range(from + i)));
    const read = bytesRead() - before;
    // The block, and some kilobytes for each request and its response.
    expect(read).toBeGreaterThan(4 * mebibyte);
    expect(read).toBeLessThan(8 * mebibyte);
  },
);
