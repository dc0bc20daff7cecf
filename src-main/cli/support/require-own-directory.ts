import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { CommandError } from './terminal.ts';

/**
 * Whoever opens a database may leave files beside it, which belong to them: after a command of another user, root above all, the service could not read its
 * own data any more.
 *
 * @throws CommandError that says how to run the command, when the directory belongs to another user.
 */
export function requireOwnDirectory(directory: string): void {
  // Windows has none: there the rights of a folder are inherited by what is made in it.
  const user = process.getuid?.();
  const owner = statSync(directory, { throwIfNoEntry: false })?.uid;
  if (user === undefined || owner === undefined || owner === user) return;
  const name = nameOf(owner);
  throw new CommandError(
    `${directory} belongs to the user ${name}, who could not read what another user leaves there. Run it as that user: sudo -u ${shellWord(name)} benchport COMMAND --data ${shellWord(directory)}`,
  );
}

/** The name of a user, or the number in sudo's form where there is none. */
function nameOf(uid: number): string {
  try {
    // Asks whatever the system knows users from, not only /etc/passwd.
    return execFileSync('id', ['-un', String(uid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return `#${uid}`;
  }
}

function shellWord(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
