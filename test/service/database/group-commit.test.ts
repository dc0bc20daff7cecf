import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { GroupCommit } from '../../../src-main/service/database/sqlite/group-commit.ts';
import type { Deferred } from '../../../src-main/service/database/sqlite/group-commit.ts';

let dir: string;
let database: Database.Database;

beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchport-commit-'));
  database = new Database(path.join(dir, 'a.db'));
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE words (word TEXT PRIMARY KEY, times INTEGER NOT NULL)');
});

afterAll(() => {
  database.close();
  rmSync(dir, { recursive: true });
});

beforeEach(() => {
  database.exec('DELETE FROM words');
  database.pragma('synchronous = FULL');
});

const add = (word: string, times = 1) => database.prepare('INSERT INTO words VALUES (?, ?)').run(word, times);
const words = () => database.prepare('SELECT word FROM words ORDER BY rowid').pluck().all();

it('answers when the log is on disk, and others work until then', async () => {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const asked: unknown[] = [];
  const commits = new GroupCommit(database, undefined, async () => {
    asked.push(database.inTransaction, database.pragma('synchronous', { simple: true }), words());
    await arrived;
  });
  let answered = false;
  const answer = commits.run(() => add('one')).then(() => (answered = true));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  // The transaction is committed and visible to readers, and SQLite itself syncs other commits
  // meanwhile.
  expect(asked).toEqual([false, 2, ['one']]);
  expect(answered).toBe(false);
  arrive();
  await answer;
  expect(answered).toBe(true);
});

it('gathers while the disk is waited for, and commits that together', async () => {
  let syncs = 0;
  const commits = new GroupCommit(database, undefined, async () => {
    syncs += 1;
    await new Promise(setImmediate);
  });
  const first = commits.run(() => add('a'));
  await new Promise(setImmediate);
  await Promise.all([first, ...['b', 'c', 'd'].map((word) => commits.run(() => add(word)))]);
  expect(words()).toEqual(['a', 'b', 'c', 'd']);
  expect(syncs).toBe(2);
});

it('fails what could not be brought to the disk, and goes on with the next', async () => {
  const failures = [new Error('the disk is gone')];
  const commits = new GroupCommit(database, undefined, async () => {
    const failure = failures.pop();
    if (failure) throw failure;
  });
  await expect(commits.run(() => add('a'))).rejects.toThrow('the disk is gone');
  await expect(commits.run(() => add('b'))).resolves.toBeDefined();
});

it('fails all of a group whose transaction the database has ended, as it does on a full disk, and writes nothing of it', async () => {
  const commits = new GroupCommit(database);
  const full = () => {
    database.exec('ROLLBACK');
    throw new Error('database or disk is full');
  };
  const answers = await Promise.allSettled([
    commits.run(() => add('before')),
    commits.run(full),
    commits.run(() => add('after')),
  ]);
  expect(answers.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(words()).toEqual([]);
  await commits.run(() => add('later'));
  expect(words()).toEqual(['later']);
});

it('brings the real log to the disk, and needs no log where the database waits by itself or never', async () => {
  await new GroupCommit(database).run(() => add('a'));
  database.pragma('synchronous = OFF');
  await new GroupCommit(database).run(() => add('b'));
  expect(database.pragma('synchronous', { simple: true })).toBe(0);
  const memory = new Database(':memory:');
  await new GroupCommit(memory).run(() => memory.exec('CREATE TABLE a (b)'));
  memory.close();
  expect(words()).toEqual(['a', 'b']);
});

it('leaves counts to the end, before work of another kind, without those of works that failed', async () => {
  const ends: string[][] = [];
  const counted: Deferred<string[]> = {
    begin: () => [],
    end: (state) => {
      ends.push([...state]);
      add(`end ${state.join()}`);
    },
  };
  const commits = new GroupCommit(database);
  const count = async (word: string) =>
    commits.run((state) => {
      add(word);
      if (word === 'bad') throw new Error('not this one');
      state.push(word);
    }, counted);
  const works = [count('a'), count('bad').catch(() => {}), count('b'), commits.run(() => add('other')), count('c')];
  await Promise.all(works);
  expect(ends).toEqual([['a', 'b'], ['c']]);
  expect(words()).toEqual(['a', 'b', 'end a,b', 'other', 'c', 'end c']);
});
