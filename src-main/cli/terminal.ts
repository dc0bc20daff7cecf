import type { ReadStream, WriteStream } from 'node:tty';

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

/** Writes one line to standard output. */
export function printLine(terminal: Terminal, text: string): void {
  terminal.stdout.write(`${text}\n`);
}

/** A text without what a terminal would obey: names and messages come from files, from people and from other servers. */
export function inert(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

/** Writes a line for people to standard error, so that standard output stays for answers. */
export function note(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${inert(text)}\n`);
}

/** Writes one JSON document. */
export function printJson(terminal: Terminal, document: unknown): void {
  // JSON has escaped the other control characters.
  printLine(
    terminal,
    JSON.stringify(document).replaceAll(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
  );
}
