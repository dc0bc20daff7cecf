/** Default maximum of characters; the raw event has the rest. */
const maxCharacters = 4000;

// Control characters except tab and line feed, bidirectional controls, zero-width characters, tags
// of plane 14 and lone surrogates.
const unseen =
  // oxlint-disable-next-line no-control-regex -- Senders put control characters into texts; here they are found.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

function nameOf(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

/**
 * Text from a sender, safe to display or copy: invisible characters, and those that change how
 * others are displayed, are written out by name.
 */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unseen, nameOf);
}

/** The safe text with its length capped; states how much is missing. */
export function shownText(text: string, maxLength = maxCharacters): string {
  if (text.length <= maxLength) return plainText(text);
  return `${plainText(text.slice(0, maxLength))}… (${text.length - maxLength} more characters)`;
}

/** A text for one line. */
export function lineText(text: string, maxLength = 300): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return plainText(short.replaceAll(/\s+/g, ' ').trim());
}

/**
 * A value of any kind as indented JSON; invisible characters are escaped, so that it can be parsed
 * again.
 */
export function jsonText(value: unknown): string {
  return escapeJson(JSON.stringify(value, null, 2));
}

/** Escapes invisible characters in a JSON text; its value stays the same. */
export function escapeJson(json: string): string {
  return json.replaceAll(unseen, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** A value as text: strings unchanged, others as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? shownText(value) : shownText(jsonText(value));
}
