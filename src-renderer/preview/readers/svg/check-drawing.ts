import { malformed, PreviewError } from '../../provider/preview-error.ts';
import { hasTooLargePicture } from './embedded-pictures.ts';

/** Most elements that are drawn, those counted again that others refer to. */
const maxDrawn = 200_000;
const maxDepth = 200;
const rootName = '';

/** An element that can be referred to, with all that stands in it but for other such elements. */
interface Part {
  elements: number;
  readonly references: string[];
}

/**
 * Checks that a drawing is no work without an end for the browser, which draws it in the page: an
 * element may stand for others by reference, and these for others again.
 *
 * @throws PreviewError that names what it is refused for.
 */
export function checkDrawing(text: string): void {
  if (/<!(?:ENTITY|ATTLIST|ELEMENT|NOTATION)/i.test(text)) throw refused('defines parts of its language');
  // Instructions could name style sheets; that of XML at the beginning is taken away.
  if (text.includes('<?')) throw refused('has instructions for programs');
  const parts = partsOf(text);
  const costs = new Map<string, number>();
  for (const name of parts.keys()) costOf(name, parts, costs, 0);
  if ((costs.get(rootName) ?? 0) > maxDrawn) throw tooMuch();
}

function tooMuch(): PreviewError {
  return new PreviewError('limit', `The drawing has more than ${maxDrawn} elements, those in others counted again.`);
}

function refused(what: string): PreviewError {
  return new PreviewError('limit', `The drawing ${what}, which a preview does not draw.`);
}

function partsOf(text: string): ReadonlyMap<string, Part> {
  const root: Part = { elements: 0, references: [] };
  const parts = new Map<string, Part>([[rootName, root]]);
  const open: Part[] = [];
  const markup = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([A-Za-z_][\w:.-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;
  let end = 0;
  for (const { index, 0: tag, 1: slash, 2: name = '', 3: attributes = '' } of text.matchAll(markup)) {
    checkBetween(text.slice(end, index));
    end = index + tag.length;
    if (tag.startsWith('<!--')) continue;
    if (tag.startsWith('<![')) checkStyles(tag);
    else if (slash === '/') open.pop();
    else {
      const found = attributesOf(name, attributes);
      const part: Part =
        found.id === null ? (open.at(-1) ?? root) : (parts.get(found.id) ?? { elements: 0, references: [] });
      if (found.id !== null) {
        parts.set(found.id, part);
        // The target of a reference is drawn where it stands too, unless it is a definition.
        (open.at(-1) ?? root).references.push(found.id);
      }
      part.elements += 1;
      part.references.push(...found.references);
      if (!attributes.endsWith('/')) open.push(part);
      if (open.length > maxDepth) throw refused(`has more than ${maxDepth} elements inside of each other`);
    }
  }
  checkBetween(text.slice(end));
  if (root.elements === 0 && parts.size < 2) throw malformed('The file has no drawing.');
  return parts;
}

/** Text between elements, which may be that of styles. A tag in it would be one that was not understood. */
function checkBetween(text: string): void {
  if (/<[^!]/.test(text)) throw malformed('The drawing has a tag that does not end.');
  checkStyles(text);
}

/** Styles may not bring in what elements cannot: references that are not counted. */
function checkStyles(text: string): void {
  if (/url\s*\(\s*["']?\s*#|@import/i.test(text)) throw refused('refers to its parts in styles');
  if (/filter\s*:/i.test(text)) throw refused('uses filters');
  if (/url\s*\(\s*["']?\s*data:image/i.test(text)) throw refused('contains pictures in styles');
}

function attributesOf(element: string, text: string): { readonly id: string | null; readonly references: string[] } {
  if (/^(?:\w+:)?(?:animate\w*|set)$/i.test(element)) throw refused('moves');
  let id: string | null = null;
  const references: string[] = [];
  for (const [, name = '', quoted = ''] of text.matchAll(/([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
    const value = plain(quoted.slice(1, -1));
    if ((name === 'id' || name === 'xml:id') && value !== rootName) id = value;
    if (name === 'filter' || (name === 'style' && /filter\s*:/i.test(value))) throw refused('uses filters');
    if (/url\s*\(\s*["']?\s*data:image/i.test(value)) throw refused('contains pictures in styles');
    if (value.includes('\\') && !name.includes(':')) throw refused('has names with escapes');
    if (name === 'href' || name === 'src' || name.endsWith(':href')) {
      if (value.trim().startsWith('#')) references.push(value.trim().slice(1));
      if (hasTooLargePicture(value)) throw refused('contains a picture that is too large, or of an unknown format');
    }
    for (const [, target = ''] of value.matchAll(/url\s*\(\s*["']?\s*#([^"')]*)/gi)) references.push(target.trim());
  }
  return { id, references };
}

/** Characters that are written by their numbers, which would hide a name. */
function plain(value: string): string {
  return value.replaceAll(
    /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi,
    (_, hex: string | undefined, decimal: string | undefined) => {
      const number = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return number <= 0x10_ffff ? String.fromCodePoint(number) : '';
    },
  );
}

function costOf(name: string, parts: ReadonlyMap<string, Part>, costs: Map<string, number>, depth: number): number {
  const known = costs.get(name);
  if (Number.isNaN(known)) throw refused('refers to itself');
  if (known !== undefined) return known;
  const part = parts.get(name);
  if (part === undefined) return 0;
  if (depth > maxDepth) throw refused('refers to parts by too many others');
  costs.set(name, Number.NaN);
  let cost = part.elements;
  for (const reference of part.references) cost += costOf(reference, parts, costs, depth + 1);
  costs.set(name, cost);
  return cost;
}
