// The manual page benchport(1), generated from the definitions that also make the commands' help.
import { PassThrough } from 'node:stream';
import { newProgram } from '../src-main/cli/program.ts';
import { inRoot } from './lib/project.mjs';

/**
 * Generates the manual page.
 * @param day of the build, YYYY-MM-DD.
 * @returns roff with the macros of man(7).
 */
export function manPage(day) {
  const said = new PassThrough();
  const program = newProgram({
    stdin: said,
    stdout: said,
    stderr: said,
    environment: {},
    programDir: inRoot('src-main/cli'),
  });
  const [about, ...sections] = textAfter(program, said).split(/\n\n(?=\w+:\n|Exit status)/);
  return [
    `.TH BENCHPORT 1 "${day}" "Benchport ${program.version()}" "User Commands"`,
    '.SH NAME',
    `benchport \\- ${escaped(lowered(program.description()))}`,
    '.SH SYNOPSIS',
    '.B benchport',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    'Benchport gets lab measurements off the bench: it freezes what was measured and serves it with checksums.',
    'The headless package brings this command along. The desktop application has the same service behind its screens.',
    escaped(about.trim()),
    '.SH OPTIONS',
    ...program.createHelp().visibleOptions(program).flatMap(option),
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => described(command, said)),
    ...sections.flatMap(section),
    '.SH SEE ALSO',
    '.BR curl (1),',
    '.BR wget (1),',
    '.BR systemd.service (5)',
    '',
  ].join('\n');
}

/** A command, or the commands of a group. */
function described(command, said) {
  if (command.commands.length > 0) return command.commands.flatMap((one) => described(one, said));
  const help = command.createHelp();
  const example = textAfter(command, said).replace(/^Examples:\n/, '');
  return [
    `.SS "${escaped(help.commandUsage(command))}"`,
    escaped(`${command.description()}.`),
    ...help
      .visibleArguments(command)
      .flatMap((one) => entry(`.I ${escaped(one.name())}`, help.argumentDescription(one))),
    ...command.options.flatMap((one) => entry(`.B ${escaped(help.optionTerm(one))}`, help.optionDescription(one))),
    ...(example === '' ? [] : ['.PP', '.nf', ...example.split('\n').map(escaped), '.fi']),
  ];
}

const option = (one) => entry(`.B ${escaped(one.flags)}`, one.description);
const entry = (term, description) => ['.TP', term, escaped(description)];

/** `Environment:` with its columns, or a line such as `Exit status: ...`. */
function section(text) {
  const [, title, rest] = /^([\w ]+):\s+(.+)$/s.exec(text);
  const heading = `.SH ${title.toUpperCase()}`;
  const columns = [...` ${rest}`.matchAll(/^ +([A-Z_]+)  +(.+)$/gm)];
  return columns.length === 0
    ? [heading, escaped(rest)]
    : [heading, ...columns.flatMap(([, name, words]) => entry(`.B ${escaped(name)}`, words))];
}

/** The text below the help that commander generates. */
function textAfter(command, said) {
  command.outputHelp();
  const all = String(said.read() ?? '');
  return all.slice(command.helpInformation().length).trim();
}

/** Escapes characters that roff interprets: backslash, hyphen, and a leading dot or quote. */
function escaped(text) {
  return text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll('"', String.raw`\(dq`)
    .replaceAll(/^\s*(?=[.'])/gm, String.raw`\&`);
}

const lowered = (text) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
