import { InvalidArgumentError } from 'commander';
import { readFile } from 'node:fs/promises';
import { readSecret } from '../support/read-secret.ts';
import { CommandError, type Terminal } from '../support/terminal.ts';

/** Reads the token from a file, or from standard input. @throws CommandError */
export async function readToken(terminal: Terminal, file: string): Promise<string> {
  const text =
    file === '-'
      ? await readSecret(terminal, 'token')
      : await readFile(file, 'utf8').catch((error: unknown) => {
          throw new CommandError(
            `The token cannot be read from ${file}: ${error instanceof Error ? error.message : String(error)}`,
          );
        });
  const token = text.trim();
  if (!/^[\x21-\x7e]{1,4096}$/.test(token))
    throw new CommandError(
      `${file === '-' ? 'Standard input' : file} does not hold a token: one word of plain characters.`,
    );
  return token;
}

/** Accepts the common notations: `9f86d081...`, `9f86 d081 ...` and `9F:86:...`. */
export function fingerprint(text: string): string {
  const sha256 = text.replaceAll(/[\s:]/g, '').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(sha256))
    throw new InvalidArgumentError(
      'Give the SHA-256 fingerprint: 64 hexadecimal digits, in quotes when there are gaps.',
    );
  return sha256;
}
