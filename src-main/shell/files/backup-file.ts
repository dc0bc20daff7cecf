import { access } from 'node:fs/promises';
import path from 'node:path';

/**
 * The file for a new backup: the chosen one, with `.zip` appended if missing. The system's dialog
 * asked only about replacing the name without it, so an existing file is replaced only if
 * `mayReplace` agrees; otherwise the result is null.
 */
export async function backupFile(
  chosen: string,
  mayReplace: (name: string) => Promise<boolean>,
): Promise<string | null> {
  if (chosen.toLowerCase().endsWith('.zip')) return chosen;
  const file = `${chosen}.zip`;
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  return !exists || (await mayReplace(path.basename(file))) ? file : null;
}
