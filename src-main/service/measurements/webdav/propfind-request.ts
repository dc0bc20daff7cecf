import { parseXml, XmlDocumentType, XmlElement, type XmlDocument } from '@rgrove/parse-xml';
import { invalidRequest } from '../../common/problem.ts';

export interface PropertyName {
  readonly namespace: string;
  readonly name: string;
}

/** The request of a PROPFIND (RFC 4918 section 9.1): all properties, their names, or some of them. */
export type PropfindRequest =
  | { readonly kind: 'allprop' }
  | { readonly kind: 'propname' }
  | { readonly kind: 'prop'; readonly names: readonly PropertyName[] };

export const dav = 'DAV:';
const kinds = ['allprop', 'propname', 'prop'] as const;
const maxNames = 100;
/** Names of properties that are not known are repeated for each resource, so they are bounded together. */
const maxNamesLength = 4096;

/**
 * Parses the body of a PROPFIND; an empty one asks for all properties.
 *
 * @throws HttpProblem 400 for XML that is not well-formed, has a DTD, or is no propfind.
 */
export function parsePropfind(body: string): PropfindRequest {
  if (body.trim() === '') return { kind: 'allprop' };
  const root = rootOf(body);
  const here = namespacesIn(root, new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]));
  if (!isDav(root, here, 'propfind')) throw invalidRequest('The body must be a DAV: propfind element.');
  const asked = elementsIn(root).flatMap((child) => {
    const scope = namespacesIn(child, here);
    const kind = kinds.find((name) => isDav(child, scope, name));
    return kind === undefined ? [] : [{ kind, child, scope }];
  });
  const [one, ...others] = asked;
  if (!one || others.length > 0) throw invalidRequest('A propfind element has one of prop, allprop and propname.');
  if (one.kind !== 'prop') return { kind: one.kind };
  return {
    kind: 'prop',
    names: bounded(elementsIn(one.child).map((child) => nameOf(child, namespacesIn(child, one.scope)))),
  };
}

function bounded(names: readonly PropertyName[]): readonly PropertyName[] {
  const length = names.reduce((sum, { namespace, name }) => sum + namespace.length + name.length, 0);
  if (names.length > maxNames || length > maxNamesLength)
    throw invalidRequest(
      `A request can ask for ${maxNames} properties, with names of ${maxNamesLength} characters together.`,
    );
  return names;
}

function rootOf(body: string): XmlElement {
  let found: XmlDocument;
  try {
    found = parseXml(body, { preserveDocumentType: true });
  } catch (error) {
    // Also a RangeError, for elements nested deeper than the stack.
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw invalidRequest(`The body is not well-formed XML: ${reason.slice(0, 200)}`);
  }
  if (found.children.some((node) => node instanceof XmlDocumentType))
    throw invalidRequest('The body must not have a document type declaration.');
  if (!found.root) throw invalidRequest('The body must be a DAV: propfind element.');
  return found.root;
}

function elementsIn(parent: XmlElement): readonly XmlElement[] {
  return parent.children.filter((child) => child instanceof XmlElement);
}

/** The namespaces by their prefix where an element stands; that without a prefix is named ''. */
function namespacesIn(element: XmlElement, outside: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const inside = new Map(outside);
  for (const [name, value] of Object.entries(element.attributes)) {
    if (name === 'xmlns') inside.set('', value);
    else if (name.startsWith('xmlns:')) {
      if (value === '') throw invalidRequest(`The body is not well-formed XML: the namespace of ${name} is empty`);
      inside.set(name.slice('xmlns:'.length), value);
    }
  }
  return inside;
}

/** @throws HttpProblem 400 for a prefix that is not declared. */
function nameOf({ name }: XmlElement, namespaces: ReadonlyMap<string, string>): PropertyName {
  const colon = name.indexOf(':');
  const namespace = namespaces.get(colon < 0 ? '' : name.slice(0, colon)) ?? (colon < 0 ? '' : null);
  const local = name.slice(colon + 1);
  if (namespace === null || local === '' || local.includes(':'))
    throw invalidRequest(`The body is not well-formed XML: the namespace of ${name.slice(0, 100)} is not declared`);
  return { namespace, name: local };
}

function isDav(element: XmlElement, namespaces: ReadonlyMap<string, string>, wanted: string): boolean {
  const { namespace, name } = nameOf(element, namespaces);
  return namespace === dav && name === wanted;
}
