import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { S3Settings } from '../../../src-main/service/object-storage/s3-settings.ts';
import { fillFrom } from './bytes-by-position.ts';

export const partBytes = 16 * 1024 * 1024;
export const partCount = 2;
export const length = (partCount - 1) * partBytes + 12_345;

interface Putting {
  /** Called with each line that it writes. */
  onLine: (line: string) => void;
  readonly kill: () => void;
  /** Whether it came to its end. */
  readonly ended: Promise<boolean>;
}

/** Puts an object with {@link content} in a process of its own. */
export function putInProcess(settings: S3Settings, key: string): Putting {
  const program = path.join(import.meta.dirname, 'put-until-killed.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(settings), key, String(length)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let isDone = false;
  createInterface(child.stdout).on('line', (line) => {
    isDone ||= line === 'done';
    putting.onLine(line);
  });
  const putting: Putting = {
    onLine: () => {},
    kill: () => child.kill('SIGKILL'),
    ended: once(child, 'close').then(() => isDone),
  };
  return putting;
}

/** The bytes of the object. */
export const content = Buffer.alloc(length);
for (let at = 0; at < length; at += partBytes) fillFrom(content.subarray(at, at + partBytes), at);
