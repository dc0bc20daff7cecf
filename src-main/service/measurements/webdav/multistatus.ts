import { properties, type Described } from './properties.ts';
import { dav, type PropertyName, type PropfindRequest } from './propfind-request.ts';
import { xmlText } from './xml-text.ts';

export const multistatusStart = '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n';
export const multistatusEnd = '</D:multistatus>\n';

/**
 * Returns a function that writes the response element of a resource (RFC 4918 section 14.24), with
 * one propstat for the properties that it has and one for those that it lacks.
 */
export function responseWriter(request: PropfindRequest): (of: Described) => string {
  const known =
    request.kind === 'prop' ? request.names.filter(isKnown).map(({ name }) => name) : [...properties.keys()];
  const unknown =
    request.kind === 'prop'
      ? request.names
          .filter((name) => !isKnown(name))
          .map(emptyElement)
          .join('')
      : '';
  return (of) => {
    let found = '';
    let missing = unknown;
    for (const name of known) {
      const value = properties.get(name)?.(of) ?? null;
      if (value === null) missing += request.kind === 'prop' ? `<D:${name}/>` : '';
      else if (value === '' || request.kind === 'propname') found += `<D:${name}/>`;
      else found += `<D:${name}>${value}</D:${name}>`;
    }
    const hasFound = found !== '' || missing === '';
    return `<D:response><D:href>${xmlText(of.href)}</D:href>${hasFound ? propstat(found, '200 OK') : ''}${missing === '' ? '' : propstat(missing, '404 Not Found')}</D:response>\n`;
  };
}

function isKnown({ namespace, name }: PropertyName): boolean {
  return namespace === dav && properties.has(name);
}

function emptyElement({ namespace, name }: PropertyName): string {
  return namespace === dav ? `<D:${name}/>` : `<${name} xmlns="${xmlText(namespace)}"/>`;
}

function propstat(content: string, status: string): string {
  return `<D:propstat><D:prop>${content}</D:prop><D:status>HTTP/1.1 ${status}</D:status></D:propstat>`;
}
