/**
 * A whole number with a narrow space between its thousands, as the screens write theirs, on which the service's words stand as well: "2 000". Intl takes longer
 * to start than a small program.
 */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, '\u202f');
}
