import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTarget } from '../../../../../src-main/service/fetching/engine/target/target-folder.ts';
import type { Target } from '../../../../../src-main/service/fetching/engine/target/target.ts';
import { TargetError } from '../../../../../src-main/service/files/target-folder-error.ts';
import { eachTestIn, failure, write } from './target-scene.ts';

let above: string;
let folder: string;
let outside: string;

eachTestIn((scene) => {
  ({ above, folder, outside } = scene);
});

// As on Linux, and as on systems that cannot hold folders by descriptors.
describe.each([true, false])('folders held: %s', (holding) => {
  const open = async (): Promise<Target> => openTarget(folder, holding);

  test('a file is complete before it has its name, and can be continued', async () => {
    const target = await open();
    const fd = target.create('a/b/c.txt');
    writeSync(fd, 'half');
    closeSync(fd);
    expect(readdirSync(path.join(folder, 'a/b'))).toEqual(['c.txt.benchport-part']);
    expect(target.openFinished('a/b/c.txt')).toBeNull();
    const again = target.reopen('a/b/c.txt') ?? -1;
    writeSync(again, 'half of it', 0);
    closeSync(again);
    target.finish('a/b/c.txt');
    await target.sync();
    expect(readdirSync(path.join(folder, 'a/b'))).toEqual(['c.txt']);
    expect(readFileSync(path.join(folder, 'a/b/c.txt'), 'utf8')).toBe('half of it');
    expect(target.reopen('a/b/c.txt')).toBeNull();
    expect(target.reopen('never/there')).toBeNull();
    target.discard('never/there');
    // From scratch: nothing of the older file is left.
    closeSync(target.create('d'));
    writeFileSync(path.join(folder, 'd.benchport-part'), 'old');
    write(target, 'd', 'n');
    expect(readFileSync(path.join(folder, 'd'), 'utf8')).toBe('n');
    closeSync(target.create('e'));
    rmSync(path.join(folder, 'e.benchport-part'));
    expect(() => target.finish('e')).toThrow(failure('target-unwritable', /removed its unfinished file/, true));
    closeSync(target.create('e'));
    target.discard('e');
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'd']);
    target.close();
  });

  test('existing files are never replaced', async () => {
    const target = await open();
    writeFileSync(path.join(folder, 'mine'), 'mine');
    symlinkSync(path.join(outside, 'new'), path.join(folder, 'dangling'));
    mkdirSync(path.join(folder, 'folder'));
    for (const name of ['mine', 'dangling', 'folder']) {
      closeSync(target.create(name));
      expect(() => target.finish(name)).toThrow(failure('name-taken', /another file already has this name/, true));
    }
    expect(readFileSync(path.join(folder, 'mine'), 'utf8')).toBe('mine');
    expect(readdirSync(outside)).toEqual([]);
    expect(() => target.openFinished('dangling')).toThrow(failure('name-taken', /other than a regular file/, true));
    expect(() => target.openFinished('folder')).toThrow(failure('name-taken', /other than a regular file/, true));
    expect(() => target.create('mine/below')).toThrow(
      failure('name-taken', /mine: a link or a file has the name of this folder/, true),
    );
    target.close();
  });

  test('a file prepared under the name of the incomplete one is not written to', async () => {
    const target = await open();
    writeFileSync(path.join(outside, 'victim'), 'untouched');
    symlinkSync(path.join(outside, 'victim'), path.join(folder, 'a.benchport-part'));
    linkSync(path.join(outside, 'victim'), path.join(folder, 'b.benchport-part'));
    execFileSync('mkfifo', [path.join(folder, 'c.benchport-part')]);
    for (const name of ['a', 'b', 'c']) {
      expect(target.reopen(name)).toBeNull();
      write(target, name, 'fetched');
      expect(readFileSync(path.join(folder, name), 'utf8')).toBe('fetched');
    }
    expect(readFileSync(path.join(outside, 'victim'), 'utf8')).toBe('untouched');
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    expect(() => target.openFinished('pipe')).toThrow(failure('name-taken', /other than a regular file/, true));
    target.close();
  });

  test('killed while the file got its name: it is incomplete again', async () => {
    const target = await open();
    const fd = target.create('a');
    writeSync(fd, 'bytes');
    closeSync(fd);
    linkSync(path.join(folder, 'a.benchport-part'), path.join(folder, 'a'));
    closeSync(target.reopen('a') ?? -1);
    expect(readdirSync(folder)).toEqual(['a.benchport-part']);
    linkSync(path.join(folder, 'a.benchport-part'), path.join(folder, 'a'));
    target.finish('a');
    expect(readdirSync(folder)).toEqual(['a']);
    target.close();
  });

  test('a folder that is removed, moved or replaced is reported, and one inside it is created again', async () => {
    const target = await open();
    write(target, 'sub/a', '1');
    renameSync(path.join(folder, 'sub'), path.join(outside, 'sub'));
    await nextTurn();
    write(target, 'sub/b', '2');
    expect(readdirSync(path.join(folder, 'sub'))).toEqual(['b']);
    renameSync(folder, path.join(outside, 'moved'));
    const gone = failure('target-missing', /no longer there/, false);
    await nextTurn();
    expect(() => target.create('sub/c')).toThrow(gone);
    symlinkSync(outside, folder);
    expect(() => target.create('c')).toThrow(gone);
    await expect(target.sync()).rejects.toEqual(gone);
    rmSync(folder);
    mkdirSync(folder);
    if (holding) expect(() => target.create('c')).toThrow(gone);
    target.close();
    expect(readdirSync(outside).toSorted()).toEqual(['moved', 'sub']);
    await expect(openTarget(path.join(above, 'nowhere', 'M1'), holding)).rejects.toEqual(gone);
  });

  test('no path leads out of the folder, whatever is in it', async () => {
    writeFileSync(path.join(outside, 'secret'), 'secret');
    const target = await open();
    const plant = (): void => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(path.join(folder, 'sub'), { recursive: true });
      symlinkSync(outside, path.join(folder, 'link'));
      symlinkSync('..', path.join(folder, 'sub/up'));
      symlinkSync(path.join(outside, 'new'), path.join(folder, 'sub/dangling'));
      symlinkSync(path.join(outside, 'secret'), path.join(folder, 'secret.benchport-part'));
    };
    target.close();
    const names = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      'A',
      'link',
      'sub',
      'up',
      'dangling',
      'secret',
      'new',
      'C:',
      'con',
      '\0',
      '~',
      '\\..',
      'n\u0308',
      '..\u2215..',
      '%2e%2e',
      '.benchport-fetch',
    );
    const paths = fc.oneof(
      fc.array(names, { maxLength: 5 }).map((parts) => parts.join('/')),
      fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 12 }),
      fc.constant(path.join(outside, 'absolute')),
      fc.constant(`../outside/x`),
    );
    const inside = (): void => {
      expect(readdirSync(above).toSorted()).toEqual(['M1', 'outside']);
      expect(readdirSync(outside)).toEqual(['secret']);
      expect(readFileSync(path.join(outside, 'secret'), 'utf8')).toBe('secret');
    };
    await fc.assert(
      fc
        .asyncProperty(fc.array(paths, { minLength: 1, maxLength: 6 }), async (some) => {
          const one = await open();
          for (const file of some) {
            for (const act of [
              () => write(one, file, 'hostile'),
              () => closeSync(one.reopen(file) ?? one.create(file)),
              () => one.discard(file),
              () => {
                const fd = one.openFinished(file);
                if (fd === null) return;
                expect(readFileSync(fd, 'utf8')).not.toBe('secret');
                closeSync(fd);
              },
            ]) {
              try {
                act();
              } catch (error) {
                if (!(error instanceof TargetError)) throw error;
              }
            }
          }
          one.close();
          inside();
        })
        .beforeEach(plant),
      { numRuns: 100 },
    );
  });
});

/** Held folders are looked for once a turn. */
async function nextTurn(): Promise<void> {
  await new Promise(setImmediate);
}
