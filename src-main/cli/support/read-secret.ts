import { CommandError, type Terminal } from './terminal.ts';

const maxBytes = 64 * 1024;

/**
 * Reads one secret from standard input, up to the first line break. Secrets are never arguments,
 * because every user of the machine can read those.
 * @throws CommandError if the input is empty.
 */
export async function readSecret(terminal: Terminal, what: string): Promise<string> {
  if (terminal.stdin.isTTY) terminal.stderr.write(`Type the ${what} and press Enter; it is shown as you type.\n`);
  let text = '';
  terminal.stdin.setEncoding('utf8');
  for await (const piece of terminal.stdin) {
    text += String(piece);
    if (text.includes('\n') || text.length > maxBytes) break;
  }
  const [secret = ''] = text.split(/\r?\n/, 1);
  if (secret === '')
    throw new CommandError(`No ${what} was received on standard input. Pipe it in, for example: benchport ... < file`);
  return secret;
}
