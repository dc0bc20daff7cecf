import { crc32 } from '@node-rs/crc32';
import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import type { FixtureFile } from './fixture-measurement.ts';
import type { TestService } from './start.ts';

/** A sparse file of zeros with its true digests. */
export async function zeros(
  service: TestService,
  measurementId: string,
  name: string,
  length: number,
): Promise<FixtureFile> {
  const file = path.join(service.dir, 'instrument', measurementId, name);
  await mkdir(path.dirname(file), { recursive: true });
  const handle = await open(file, 'w');
  await handle.truncate(length);
  await handle.close();
  const block = Buffer.alloc(1024 * 1024);
  const sha256 = createHash('sha256');
  let crc = 0;
  for (let left = length; left > 0; left -= block.length) {
    const part = block.subarray(0, Math.min(left, block.length));
    crc = crc32(part, crc);
    sha256.update(part);
  }
  return { path: name, crc32: crc, sha256: sha256.digest() };
}
