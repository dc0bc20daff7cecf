// Controls, line ends, characters that change the direction of writing, and invisible ones. Joiners
// and variation selectors of emoji are allowed, as parts of words and signs.
const source = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFF9-\uFFFB]|(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}`;
const first = new RegExp(source, 'u');
const every = new RegExp(source, 'gu');

/** Whether a text has characters that a screen or terminal would not show as they are. */
export function hasUnseen(text: string): boolean {
  return first.test(text);
}

/** A text with each such character replaced. */
export function replaceUnseen(text: string, replacement: string | ((character: string) => string)): string {
  return typeof replacement === 'string' ? text.replaceAll(every, replacement) : text.replaceAll(every, replacement);
}
