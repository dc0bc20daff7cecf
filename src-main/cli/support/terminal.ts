import type { ReadStream, WriteStream } from 'node:tty';
import { replaceUnseen } from '../../service/common/unseen-characters.ts';

/** What a command has to do with: streams, environment, and where the program lies. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & Pick<ReadStream, 'isTTY'>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
  readonly environment: NodeJS.ProcessEnv;
  readonly programDir: string;
}

/** A failure with the one line that the user sees. */
export class CommandError extends Error {
  /** 1, or 2 for a command that was used wrongly. */
  readonly status: 1 | 2;

  constructor(message: string, status: 1 | 2 = 1) {
    super(message);
    this.name = 'CommandError';
    this.status = status;
  }
}

/** Writes one line to standard output, without what a terminal would obey. */
export function printLine(terminal: Terminal, text: string): void {
  terminal.stdout.write(`${inert(text)}\n`);
}

/**
 * A text without what a terminal would obey or what changes how the text around it reads: names and messages come from files, from people and from
 * other servers. Everything that a command writes goes through it, but for help and JSON.
 */
export function inert(text: string): string {
  return replaceUnseen(text, '?');
}

/** The same for several lines. */
export function inertLines(text: string): string {
  return text.split('\n').map(inert).join('\n');
}

/** Writes a line for people to standard error, so that standard output stays for answers. */
export function note(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${inert(text)}\n`);
}

/** Writes one JSON document. */
export function printJson(terminal: Terminal, document: unknown): void {
  // Escaped, so that what reads it gets the text as it is.
  const escaped = (character: string) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('');
  terminal.stdout.write(`${replaceUnseen(JSON.stringify(document), escaped)}\n`);
}
