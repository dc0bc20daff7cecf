import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import Database from 'better-sqlite3';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { printJson, printLine, type Terminal } from '../../src-main/cli/support/terminal.ts';
import { commandLine, type CommandLine } from './command-line.ts';

const hostile = 'a\u001b[31mb\u0007c\r\nd\u202ee\u2066f\u200bg\u009bh';

describe('L1: output of commands cannot control a terminal', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await commandLine();
    await cli.ok(['user', 'create', 'alice', '--admin', '--password-stdin'], 'a rather long word\n');
    const sample = path.resolve(import.meta.dirname, '../../assets/sample-measurement');
    await cli.ok(['measurement', 'register', sample, '--id', 'm', '--owner', 'alice', '--copy']);
    const database = new Database(path.join(cli.dataDir, 'benchport.db'));
    database.prepare('UPDATE measurements SET title = ?').run(hostile);
    database.prepare('UPDATE users SET name = ?').run(hostile);
    database.close();
  });
  afterAll(() => cli.end());

  test.each([
    ['measurement', 'show', 'm'],
    ['measurement', 'list'],
    ['user', 'list'],
  ])('benchport %s %s', async (...args) => {
    const text = await cli.ok(args.filter((arg) => arg !== undefined));
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const document = await cli.ok([...args.filter((arg) => arg !== undefined), '--json']);
    expect(document).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.stringify(JSON.parse(document))).toContain(JSON.stringify(hostile));
  });

  test('a wrong argument is repeated without control characters', async () => {
    const { stderr } = await cli.run(['measurement', `list\u001b[2J`]);
    expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  test('a line stays one line, and JSON keeps its meaning', () => {
    const stdout = new PassThrough();
    const terminal = { stdout } as unknown as Terminal;
    printLine(terminal, hostile);
    expect(String(stdout.read())).toBe('a?[31mb?c??d?e?f?g?h\n');
    printJson(terminal, { hostile, tag: '\u{e0041}' });
    const json = String(stdout.read());
    expect(json.trimEnd()).toMatch(/^[\u0020-\u007e]+$/);
    expect(JSON.parse(json)).toEqual({ hostile, tag: '\u{e0041}' });
  });

  test('every command writes through the filter', async () => {
    const dir = path.resolve(import.meta.dirname, '../../src-main/cli');
    const direct: string[] = [];
    for (const name of await readdir(dir, { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      if (/\.stdout\.write\(/.test(await readFile(path.join(dir, name), 'utf8'))) direct.push(name);
    }
    // The help contains no foreign text.
    expect(direct.toSorted()).toEqual(['support/root-command.ts', 'support/terminal.ts']);
  });
});
