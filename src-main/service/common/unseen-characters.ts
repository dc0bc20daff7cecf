// Controls, line ends, what turns the direction of writing round, and what shows nothing. Joiners and the choice of an emoji's form are parts of words and signs.
const source = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFF9-\uFFFB]|(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}`;
const first = new RegExp(source, 'u');
const every = new RegExp(source, 'gu');

/** Whether a text would not be shown as it is written, on a screen or a terminal. */
export function hasUnseen(text: string): boolean {
  return first.test(text);
}

/** A text with something in the place of each such character. */
export function replaceUnseen(text: string, replacement: string | ((character: string) => string)): string {
  return typeof replacement === 'string' ? text.replaceAll(every, replacement) : text.replaceAll(every, replacement);
}
