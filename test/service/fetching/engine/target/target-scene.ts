import { closeSync, existsSync, mkdirSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Target } from '../../../../../src-main/service/fetching/engine/target/target.ts';

/** Folders of one test: the one above the target, the target, and one that must stay untouched. */
export interface TargetScene {
  readonly above: string;
  readonly folder: string;
  readonly outside: string;
}

/** Gives each test of a file its own folders. */
export function eachTestIn(use: (scene: TargetScene) => void): void {
  let root: string;
  let scenes = 0;
  beforeAll(async () => {
    // In memory where that is possible: thousands of files are made.
    root = await mkdtemp(path.join(existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'benchport-target-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));
  beforeEach(() => {
    scenes += 1;
    const above = path.join(root, String(scenes));
    const outside = path.join(above, 'outside');
    mkdirSync(outside, { recursive: true });
    use({ above, folder: path.join(above, 'M1'), outside });
  });
}

/** Makes a file from its first byte to its name. */
export function write(target: Target, file: string, text: string): void {
  const fd = target.create(file);
  writeSync(fd, text);
  closeSync(fd);
  target.finish(file);
}

/** The refusal of a target, of one file or of all. */
export const failure = (reason: string, message: RegExp, onlyThisFile: boolean): object =>
  expect.objectContaining({
    name: 'TargetError',
    reason,
    message: expect.stringMatching(message) as string,
    onlyThisFile,
  }) as object;
