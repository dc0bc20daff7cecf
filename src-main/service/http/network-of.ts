/**
 * Factor by which limits of one address are raised for an IPv6 network: it can be a whole
 * laboratory, or one machine using any of its 2^64 addresses.
 */
export const networkFactor = 10;

/**
 * The /64 network of an IPv6 address (RFC 4291 section 2.5.4); an IPv4 address is returned as it
 * is.
 *
 * @param address as Node writes it, so a colon tells which of the two it is; the private listener has
 * none.
 */
export function networkOf(address: string | undefined): string {
  if (!address?.includes(':')) return address ?? '';
  const [before = '', after] = address.split('::');
  const [left, right] = [groupsOf(before), groupsOf(after ?? '')];
  const leftOut = after === undefined ? 0 : 8 - left.length - right.length;
  return `${[...left, ...Array<string>(leftOut).fill('0'), ...right].slice(0, 4).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
