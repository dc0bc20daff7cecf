import type { FileStatusPage } from '../../../api/requests/types.ts';
import type { Item } from './choice.ts';

/** Files found beyond this number are not chosen together. */
const maxTogether = 10_000;

/**
 * Reads all files that a search finds, page after page.
 *
 * @param page reads the page after a cursor.
 * @returns the files, and whether there are more than are chosen together.
 */
export async function allFound(
  page: (after: number) => Promise<FileStatusPage>,
): Promise<{ readonly items: readonly Item[]; readonly more: boolean }> {
  const items: Item[] = [];
  for (let after: number | null = -1; after !== null && items.length < maxTogether;) {
    const found: FileStatusPage = await page(after);
    for (const { index, length, state } of found.files)
      items.push({ first: index, last: index, bytes: length, problems: state === 'ok' ? 0 : 1 });
    after = found.next;
    if (items.length >= maxTogether && after !== null) return { items: items.slice(0, maxTogether), more: true };
  }
  return { items, more: false };
}
