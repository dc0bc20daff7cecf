/** A whole number with commas between its thousands, such as "2,000". Intl would do it, too, and takes longer to start than a small program. */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
