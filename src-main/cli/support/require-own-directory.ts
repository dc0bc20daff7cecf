import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { CommandError } from './terminal.ts';

/**
 * Opening a database may create files beside it that belong to the current user: after a command
 * run as another user, such as root, the service could no longer read its data.
 * @throws CommandError that says how to run the command, if the directory belongs to another user.
 */
export function requireOwnDirectory(directory: string): void {
  // Undefined on Windows, where new files inherit the permissions of their folder.
  const user = process.getuid?.();
  const owner = statSync(directory, { throwIfNoEntry: false })?.uid;
  if (user === undefined || owner === undefined || owner === user) return;
  const name = nameOf(owner);
  throw new CommandError(
    `${directory} belongs to the user ${name}, who could not read what another user leaves there. Run it as that user: sudo -u ${shellWord(name)} benchport COMMAND --data ${shellWord(directory)}`,
  );
}

/** The user's name, or the number in sudo's notation if there is none. */
function nameOf(uid: number): string {
  try {
    // `id` uses all of the system's user databases, not only /etc/passwd.
    return execFileSync('id', ['-un', String(uid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return `#${uid}`;
  }
}

function shellWord(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
