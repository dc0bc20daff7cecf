// Characters that XML 1.0 cannot contain, even escaped (section 2.2).
// oxlint-disable-next-line no-control-regex
const impossible = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text for the content or an attribute of an XML element; what XML cannot contain becomes U+FFFD. */
export function xmlText(text: string): string {
  return text.replaceAll(impossible, '\uFFFD').replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
