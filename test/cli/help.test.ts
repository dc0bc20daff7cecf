import type { Command } from 'commander';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { manPage } from '../../scripts/man-page.mjs';
import { newProgram } from '../../src-main/cli/program.ts';
import { run } from '../service/run-program.ts';

const programDir = path.resolve(import.meta.dirname, '../../src-main/cli');

/** Writes the help of a program into a string. */
function newHelp(): { readonly program: Command; readonly said: PassThrough } {
  const said = new PassThrough();
  const stdin = Object.assign(new PassThrough(), { isTTY: false });
  return { program: newProgram({ stdin, stdout: said, stderr: said, environment: {}, programDir }), said };
}

/** All commands except groups. */
function leaves(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

/** The full name of a command: `benchport user create`. */
function called(command: Command): string {
  return command.parent ? `${called(command.parent)} ${command.name()}` : command.name();
}

function helpOf(name: string): Promise<string> {
  const { program, said } = newHelp();
  leaves(program)
    .find((one) => called(one) === name)
    ?.outputHelp();
  said.end();
  return textOf(said);
}

const commands = leaves(newHelp().program);
const names = commands.map(called);

test('every command, argument and option has a description', () => {
  expect(names.length).toBeGreaterThan(25);
  const silent = commands.flatMap((command) =>
    [
      command.description(),
      ...command.registeredArguments.map((one) => one.description),
      ...command.options.map((one) => one.description),
    ]
      .filter((description) => description.trim().length < 5)
      .map(() => called(command)),
  );
  expect(silent).toEqual([]);
});

test('the examples in the help use existing commands, arguments and options', async () => {
  const examples = (await Promise.all(names.map(helpOf))).flatMap((help) =>
    [...help.matchAll(/^ {2}(benchport .+)$/gm)].map(([, line = '']) => line),
  );
  expect(examples.length).toBeGreaterThan(12);
  const wrong = examples.filter((line) => {
    const command = commands.find((one) => line.startsWith(`${called(one)} `));
    // Shell syntax after the command is not part of its arguments.
    const words: readonly string[] =
      (line.slice(called(command ?? newHelp().program).length).split(/ [<>] /, 1)[0] ?? '').match(
        /"[^"]*"|(?:\$\([^)]*\)|\S)+/g,
      ) ?? [];
    if (!command) return true;
    const { operands, unknown } = command.parseOptions([...words]);
    const [fewest, most] = [
      command.registeredArguments.filter((one) => one.required).length,
      command.registeredArguments.length,
    ];
    return (
      unknown.length > 0 ||
      operands.length < fewest ||
      operands.length > most ||
      command.options.some((one) => one.mandatory && !words.includes(`${one.long}`))
    );
  });
  expect(wrong).toEqual([]);
});

describe('the manual page', () => {
  const page = manPage('2026-11-22');
  const plain = page.replaceAll(String.raw`\-`, '-');

  test.each(names)('has %s with all its arguments and options', (name) => {
    const [, section = ''] = plain.split(`.SS "${name} `);
    const command = commands.find((one) => called(one) === name);
    const until = section.split('\n.SS ', 1)[0] ?? '';
    const missing = [
      ...(command?.registeredArguments ?? [])
        .filter((one) => !until.includes(`\n.I ${one.name()}\n`))
        .map((one) => one.name()),
      ...(command?.options ?? []).filter((one) => !until.includes(`\n.B ${one.flags}\n`)).map((one) => one.flags),
    ];
    expect(section).toContain(command?.description() ?? 'nothing');
    expect(missing).toEqual([]);
  });

  test('says where it looks for data, and its exit statuses', () => {
    expect(plain).toMatch(/^\.SH ENVIRONMENT\n\.TP\n\.B BENCHPORT_DATA\n/m);
    expect(plain).toMatch(/^\.SH EXIT STATUS\n0 when it is done/m);
  });

  test.each([
    ['mandoc', ['-T', 'lint', '-W', 'warning']],
    ['man', ['--warnings', '-E', 'UTF-8', '-Tutf8', '-Z', '-l', '-']],
  ])('%s, where it is installed, reports no errors', async (program, args) => {
    const ran = await run(program, args, { input: page, env: { MANWIDTH: '100' } }).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    });
    if (ran) expect(`${program === 'mandoc' ? ran.stdout : ''}${ran.stderr}`).toBe('');
  });
});
