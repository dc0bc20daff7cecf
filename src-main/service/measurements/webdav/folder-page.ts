import { formatBytes } from '../../common/format-bytes.ts';
import { listingStart } from '../../http/pages/listing-page.ts';
import { html } from '../../http/pages/page-html.ts';
import type { Described } from './properties.ts';

/** Yields a page of links to what is in a folder, for a browser that opens its address. */
export async function* folderPage(
  name: string,
  isRoot: boolean,
  pages: AsyncIterable<readonly Described[]>,
): AsyncGenerator<string> {
  yield listingStart(isRoot ? 'Measurements' : name);
  if (!isRoot) yield '<li><a href="../">One folder up</a></li>';
  for await (const page of pages) yield page.map(entry).join('');
  yield '\n</ul>\n</body>\n</html>\n';
}

function entry({ href, name, file }: Described): string {
  return file
    ? html`
<li><a href="${href}">${name}</a> ${formatBytes(file.length)}</li>`.text
    : html`
<li><a href="${href}">${name}/</a></li>`.text;
}
