import { InvalidArgumentError } from 'commander';
import { readFile } from 'node:fs/promises';
import { readSecret } from './read-secret.ts';
import { CommandError, type Terminal } from './terminal.ts';

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
function fingerprint(text: string): string {
  const sha256 = text.replaceAll(/[\s:]/g, '').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(sha256))
    throw new InvalidArgumentError(
      'Give the SHA-256 fingerprint: 64 hexadecimal digits, in quotes when there are gaps.',
    );
  return sha256;
}

/** The option of commands that send the token of --token-file to a server. */
export const tokenFileOption = [
  '--token-file <file>',
  'file that holds the access token; - reads it from standard input',
] as const;

/** The option for a certificate that no authority has signed. */
export const certificateOption = [
  '--certificate <sha256>',
  'trust only the certificate with this fingerprint, as the Sharing screen of that server shows it',
  fingerprint,
] as const;

/** @throws CommandError when a certificate is given for an address that has none. */
export function requireHttps(url: string, certificate: string | undefined): void {
  if (certificate !== undefined && !url.startsWith('https:'))
    throw new CommandError(
      `${url} has no certificate: with --certificate, use an address that begins with https://.`,
      2,
    );
}
