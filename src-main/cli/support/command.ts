import { InvalidArgumentError, type Command } from 'commander';

/** What every command on a data directory takes. */
export interface CommonOptions {
  readonly data?: string;
  readonly json?: true;
}

/** A command that works on a data directory and can answer in JSON. */
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

/** Command lines to show below the help of a command, and in the manual. */
export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** A group of commands; alone it shows its help. */
export function group(parent: Command, name: string, description: string): Command {
  return parent.command(name).helpCommand(false).description(description);
}

/** Reads a number from an argument; anything else is bad usage. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
    return number;
  };
}

/** The words of a list on the command line, separated by commas or blanks. */
export function listed(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
