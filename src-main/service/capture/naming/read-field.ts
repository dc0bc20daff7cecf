/**
 * The value of a key in a small text file: a path in JSON, an element or attribute in XML, otherwise
 * a line `key: value`, `key = value`, `key,value` or `key<tab>value`. No regular expressions of users,
 * which could take exponential time.
 *
 * @param fileName decides between the three.
 * @returns null when the key is not there, or its value is empty.
 */
export function readField(fileName: string, text: string, key: string): string | null {
  const content = text.replace(/^\uFEFF/, '');
  const value = /\.json$/i.test(fileName)
    ? fieldOfJson(content, key)
    : /^\s*</.test(content)
      ? fieldOfXml(content, key)
      : fieldOfLines(content, key);
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? null : trimmed.slice(0, 500);
}

function fieldOfJson(text: string, key: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  for (const part of key.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return null;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function fieldOfXml(text: string, key: string): string | null {
  return elementOfXml(text, key) ?? attributeOfXml(text, key);
}

function elementOfXml(text: string, name: string): string | null {
  for (let at = text.indexOf(`<${name}`); at >= 0; at = text.indexOf(`<${name}`, at + 1)) {
    const open = text.indexOf('>', at);
    const after = text[at + name.length + 1] ?? '';
    if (open < 0) return null;
    if (!/[\s>]/.test(after) || text[open - 1] === '/') continue;
    const close = text.indexOf('<', open);
    return close < 0 ? null : decodeEntities(text.slice(open + 1, close));
  }
  return null;
}

function attributeOfXml(text: string, name: string): string | null {
  for (const quote of ['"', "'"]) {
    const at = text.indexOf(` ${name}=${quote}`);
    const begin = at + name.length + 3;
    const end = at < 0 ? -1 : text.indexOf(quote, begin);
    if (end >= 0) return decodeEntities(text.slice(begin, end));
  }
  return null;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_all, name: string) => entities[name] ?? '');
}

/** Parameter files put characters such as `##` or `$` before a key. */
function bareKey(text: string): string {
  return text.replaceAll(/^[\s#$[\]"']+|[\s[\]"']+$/g, '').toLowerCase();
}

function fieldOfLines(text: string, key: string): string | null {
  const wanted = bareKey(key);
  for (const line of text.split(/\r\n|\n|\r/)) {
    const at = line.search(/[:=,\t;]/);
    if (at <= 0 || bareKey(line.slice(0, at)) !== wanted) continue;
    const [value = ''] = line.slice(at + 1).split(line[at] === ',' || line[at] === '\t' ? line[at] : '\0');
    return value.replaceAll(/^[\s"'<]+|[\s"'>]+$/g, '');
  }
  return null;
}
