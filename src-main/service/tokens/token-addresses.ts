// As many as GitLab keeps.
const maxAddresses = 5;

/**
 * The last addresses of a token, in stored form: separated by spaces, the newest first.
 *
 * @param isLate whether a newer use is stored already: its address stays first.
 */
export function addressesAfter(stored: string | null, address: string | null, isLate: boolean): string | null {
  if (address === null) return stored;
  const known = addressesOf(stored);
  const newest = isLate ? known.slice(0, 1) : [];
  return [...new Set([...newest, address, ...known])].slice(0, maxAddresses).join(' ');
}

/** The stored addresses as a list. */
export function addressesOf(stored: string | null): string[] {
  return stored === null ? [] : stored.split(' ');
}
