/** A LIKE pattern (escape character backslash) that matches what contains `text`. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
