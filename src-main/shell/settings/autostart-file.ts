import fs from 'node:fs/promises';
import path from 'node:path';

/** Marks the file as written by Benchport; another file of that name is left alone. */
const mark = 'X-Benchport-Autostart=true';

/**
 * The file that starts Benchport with the session (freedesktop.org, Desktop Application Autostart
 * Specification).
 * @param command the executable and its arguments.
 */
export function autostartText(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Benchport',
    'Comment=Starts Benchport in the background when you sign in',
    `Exec=${command.map(quoted).join(' ')}`,
    'Icon=benchport',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    mark,
    '',
  ].join('\n');
}

/**
 * Whether a text was written by Benchport and is not disabled, which desktops do by adding a line.
 */
export function isSwitchedOn(text: string): boolean {
  const lines = new Set(text.split('\n').map((line) => line.trim()));
  return lines.has(mark) && !lines.has('Hidden=true') && !lines.has('X-GNOME-Autostart-enabled=false');
}

/** Whether the file exists, was written by Benchport and is not disabled. */
export async function readAutostart(file: string): Promise<boolean> {
  return isSwitchedOn(await readText(file));
}

/**
 * Writes or removes the file.
 * @throws if the file was not written by Benchport or cannot be written.
 */
export async function writeAutostart(file: string, on: boolean, command: readonly string[]): Promise<void> {
  const present = await readText(file);
  if (present !== '' && !present.includes(mark))
    throw new Error(`${file} was not written by Benchport, so it stays as it is.`);
  if (!on) {
    await fs.rm(file, { force: true });
    return;
  }
  await fs.mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.new`;
  await fs.writeFile(temporary, autostartText(command));
  await fs.rename(temporary, file);
}

async function readText(file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/**
 * Quotes an argument by the Desktop Entry Specification ("The Exec key"): first by the shell-like
 * rules, then as a string value of the file.
 */
function quoted(argument: string): string {
  if (/[\n\r\0]/.test(argument))
    throw new Error('Benchport cannot start at login, because its path contains a line break.');
  // A percent sign starts a field code and is escaped by doubling.
  const plain = argument.replaceAll('%', '%%');
  if (/^[A-Za-z0-9_./:=@+,%-]+$/.test(plain)) return plain;
  const shell = `"${plain.replaceAll(/["`$\\]/g, (character) => `\\${character}`)}"`;
  return shell.replaceAll('\\', '\\\\');
}
