// Bundlers write at most one list per source and one name per identifier.
const maxContainers = 200_000;
const maxMembers = 200_000;
const maxValues = 4_000_000;
const maxDepth = 64;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Checks a source map before it is parsed: a list of two bytes takes sixty in memory, so a file of
 * 60 MiB of empty lists became 1.8 GB. Counts lists and objects, members and values outside of
 * texts, without building them.
 *
 * @param json UTF-8; need not be valid JSON, which the parser checks.
 * @returns the reason to refuse it; null when it may be parsed.
 */
export function structureProblem(json: Uint8Array): string | null {
  let containers = 0;
  let members = 0;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) at = endOfText(json, at);
    else if (byte === comma) values += 1;
    else if (byte === colon) members += 1;
    else if (byte === openList || byte === openObject) {
      containers += 1;
      depth += 1;
      if (depth > maxDepth) return `The source map is nested more than ${maxDepth} deep.`;
    } else if (byte === closeList || byte === closeObject) depth -= 1;
    if (containers > maxContainers || members > maxMembers || values > maxValues)
      return `The source map has too many parts: ${maxContainers} lists and objects, ${maxMembers} members and ${maxValues} values are taken.`;
  }
  return null;
}

/** @returns the index of the quotation mark that ends the text. */
function endOfText(json: Uint8Array, start: number): number {
  let end = json.indexOf(quote, start + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf(quote, end + 1);
  return end < 0 ? json.length : end;
}

function isEscaped(json: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (json[before] === backslash) before -= 1;
  return (at - before) % 2 === 0;
}
