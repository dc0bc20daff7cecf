import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  autostartText,
  isSwitchedOn,
  readAutostart,
  writeAutostart,
} from '../../src-main/shell/settings/autostart-file.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-autostart-'));
  file = path.join(folder, 'config', 'autostart', 'benchport.desktop');
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

describe('E19 starting with the session on Linux', () => {
  it('is a file that is written, read and removed', async () => {
    expect(await readAutostart(file)).toBe(false);
    await writeAutostart(file, true, ['/opt/benchport/benchport', '--hidden']);
    expect(await readAutostart(file)).toBe(true);
    expect(await fs.readFile(file, 'utf8')).toContain('\nExec=/opt/benchport/benchport --hidden\n');
    await writeAutostart(file, false, []);
    expect(await fs.readdir(path.dirname(file))).toEqual([]);
    await writeAutostart(file, false, []);
  });

  it('a foreign file of that name is neither changed nor removed', async () => {
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, '[Desktop Entry]\nExec=own-script\n');
    expect(await readAutostart(file)).toBe(false);
    await expect(writeAutostart(file, true, ['/x'])).rejects.toThrow('was not written by Benchport');
    await expect(writeAutostart(file, false, [])).rejects.toThrow('was not written by Benchport');
    expect(await fs.readFile(file, 'utf8')).toBe('[Desktop Entry]\nExec=own-script\n');
  });

  it('a folder without write permission is reported', async () => {
    await fs.writeFile(path.join(folder, 'config'), 'a file where a folder should be');
    await expect(writeAutostart(file, true, ['/x'])).rejects.toThrow(/ENOTDIR|EEXIST/);
  });

  it('is off where the desktop has switched it off', () => {
    const text = autostartText(['/x']);
    expect(isSwitchedOn(text)).toBe(true);
    expect(isSwitchedOn(`${text}Hidden=true\n`)).toBe(false);
    expect(isSwitchedOn(text.replace('enabled=true', 'enabled=false'))).toBe(false);
  });

  it.each([['/opt/Bench port/benchport'], ['/home/alice/100%/a"b/$HOME/`id`/c\\d;e&f'], ['/home/bob/Größe/x']])(
    '%s is started as it is',
    (program) => {
      const exec = /^Exec=(.*)$/m.exec(autostartText([program, '--hidden']))?.[1] ?? '';
      // Parses a command as desktops do: string escapes of the file first, then shell quotes, then
      // field codes.
      const string = exec.replaceAll('\\\\', '\\');
      const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${string}`], { encoding: 'utf8' })
        .trimEnd()
        .split('\n');
      expect(
        words.map((word) => word.replaceAll(/%(.)/g, (_code, letter: string) => (letter === '%' ? '%' : ''))),
      ).toEqual([program, '--hidden']);
    },
  );

  it('a line break cannot add a line', () => {
    expect(() => autostartText(['/x\nExec=/bin/evil'])).toThrow('line break');
  });
});
