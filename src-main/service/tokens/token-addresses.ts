// As many as GitLab keeps.
const maxAddresses = 5;

/** The last addresses of a token, in stored form: separated by spaces, the newest first. */
export function addressesAfter(stored: string | null, address: string | null): string | null {
  if (address === null) return stored;
  return [address, ...addressesOf(stored).filter((one) => one !== address)].slice(0, maxAddresses).join(' ');
}

/** The stored addresses as a list. */
export function addressesOf(stored: string | null): string[] {
  return stored === null ? [] : stored.split(' ');
}
