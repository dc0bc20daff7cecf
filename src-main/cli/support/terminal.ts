import type { ReadStream, WriteStream } from 'node:tty';
import { replaceUnseen } from '../../service/common/unseen-characters.ts';

/** Streams, environment and program folder of a command. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & Pick<ReadStream, 'isTTY'>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
  readonly environment: NodeJS.ProcessEnv;
  readonly programDir: string;
}

/** A failure whose message is the one line that the user sees. */
export class CommandError extends Error {
  /** 1, or 2 for bad usage. */
  readonly status: 1 | 2;

  constructor(message: string, status: 1 | 2 = 1) {
    super(message);
    this.name = 'CommandError';
    this.status = status;
  }
}

/** Writes one line to standard output, without control sequences. */
export function printLine(terminal: Terminal, text: string): void {
  terminal.stdout.write(`${inert(text)}\n`);
}

/**
 * Replaces characters that a terminal would interpret or that change how the surrounding text
 * reads: names and messages may come from files, other people and other servers. All output of
 * commands except help and JSON passes through it.
 */
export function inert(text: string): string {
  return replaceUnseen(text, '?');
}

/** Applies `inert` to each line of a text. */
export function inertLines(text: string): string {
  return text.split('\n').map(inert).join('\n');
}

/** Writes a line for people to standard error; standard output is reserved for results. */
export function note(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${inert(text)}\n`);
}

/** Writes one JSON document to standard output. */
export function printJson(terminal: Terminal, document: unknown): void {
  // Escaped rather than replaced, so that JSON parsers get the original text.
  const escaped = (character: string) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('');
  terminal.stdout.write(`${replaceUnseen(JSON.stringify(document), escaped)}\n`);
}
