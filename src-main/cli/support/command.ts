import { InvalidArgumentError, type Command } from 'commander';

/** Options of every command on a data directory. */
export interface CommonOptions {
  readonly data?: string;
  readonly json?: true;
}

/** A command that works on a data directory and has a --json output. */
export function dataCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option(
      '--data <dir>',
      "data directory (environment BENCHPORT_DATA; the desktop application's when neither is given)",
    )
    .option('--json', 'print one JSON document');
}

/** Formats example command lines for a command's help and the manual page. */
export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** A group of commands; without a subcommand it shows its help. */
export function group(parent: Command, name: string, description: string): Command {
  return parent.command(name).helpCommand(false).description(description);
}

/** Makes a parser for a whole number within the limits; anything else is bad usage. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
    return number;
  };
}

/** Splits a list argument at commas and blanks. */
export function listed(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
