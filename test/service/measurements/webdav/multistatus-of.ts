import { SaxesParser } from 'saxes';

/** A response element of a multistatus: its properties by status, each with its text. */
export interface DavResponse {
  readonly href: string;
  readonly found: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
}

/** Reads a multistatus as a strict XML parser with namespaces does. */
export function multistatusOf(xml: string): readonly DavResponse[] {
  const responses: DavResponse[] = [];
  const path: string[] = [];
  let text = '';
  let href = '';
  let propstat: [string, string][] = [];
  let found: Record<string, string> = {};
  let missing: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('opentag', ({ uri, local }) => {
    path.push(uri === 'DAV:' ? local : `{${uri}}${local}`);
    // What is inside a property is part of it.
    if (path.length <= 5) text = '';
    else text += `<${local}>`;
  });
  parser.on('closetag', () => {
    const name = path.pop() ?? '';
    const depth = path.length;
    if (depth === 4) propstat.push([name, text]);
    else if (name === 'href') href = text;
    else if (name === 'status') {
      if (text.includes(' 200 ')) found = { ...found, ...Object.fromEntries(propstat) };
      else missing = [...missing, ...propstat.map(([key]) => key)];
      propstat = [];
    } else if (name === 'response') {
      responses.push({ href, found, missing });
      [found, missing] = [{}, []];
    }
  });
  parser.write(xml).close();
  return responses;
}
