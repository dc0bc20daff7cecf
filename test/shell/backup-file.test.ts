import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { backupFile } from '../../src-main/shell/files/backup-file.ts';

test('U3: a backup named without .zip gets the ending, and nothing is replaced without a question', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-backup-name-'));
  const asked: string[] = [];
  const answer = (yes: boolean) => async (name: string) => {
    asked.push(name);
    return yes;
  };
  try {
    const at = (name: string): string => path.join(dir, name);
    expect(await backupFile(at('mybackup'), answer(false))).toBe(at('mybackup.zip'));
    expect(await backupFile(at('mybackup.bak'), answer(false))).toBe(at('mybackup.bak.zip'));
    expect(await backupFile(at('Sicherung März.ZIP'), answer(false))).toBe(at('Sicherung März.ZIP'));
    expect(asked).toEqual([]);
    await writeFile(at('mybackup.zip'), 'kept');
    expect(await backupFile(at('mybackup'), answer(false))).toBeNull();
    expect(await backupFile(at('mybackup'), answer(true))).toBe(at('mybackup.zip'));
    expect(asked).toEqual(['mybackup.zip', 'mybackup.zip']);
  } finally {
    await rm(dir, { recursive: true });
  }
});
