/**
 * A whole number with a narrow space between its thousands: "2 000", as in the renderer, whose
 * screens show texts of the service too. Loading Intl takes longer than the start of a small
 * program.
 */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, '\u202f');
}
