import { BlockList, isIP } from 'node:net';

/**
 * Where an address leads: to any network, to this or another private network, to the local link, to
 * a metadata service of a cloud, or nowhere that a server can be.
 */
export type AddressKind = 'public' | 'private' | 'link-local' | 'metadata' | 'reserved';

/** The kind of an address, and the address that it leads to. */
export interface JudgedAddress {
  readonly kind: AddressKind;
  /** The IPv4 address within a form of IPv6 that leads to one; otherwise the address itself. */
  readonly address: string;
}

const kinds: readonly (readonly [AddressKind, BlockList])[] = [
  // AWS (also for containers and its time and name servers), Google Cloud, Azure and its wire server,
  // Alibaba Cloud, Oracle Cloud and its classic form, Scaleway.
  [
    'metadata',
    blockList(
      ['169.254.169.254/32', '169.254.170.2/32', '169.254.170.23/32', '169.254.169.253/32', '169.254.169.123/32'],
      ['169.254.42.42/32', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
      ['fd00:ec2::/64', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'],
    ),
  ],
  ['link-local', blockList(['169.254.0.0/16', 'fe80::/10'])],
  ['private', blockList(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8'])],
  ['private', blockList(['fc00::/7', '::1/128'])],
  // IANA's registries of special-purpose addresses (RFC 6890), and multicast.
  [
    'reserved',
    blockList(
      ['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '198.18.0.0/15'],
      ['192.88.99.0/24', '224.0.0.0/4', '240.0.0.0/4'],
      ['2001::/23', '2001:db8::/32', '3fff::/20'],
    ),
  ],
];
// All other addresses of IPv6 are not assigned to anybody (RFC 4291 section 2.4).
const globalUnicast = blockList(['2000::/3']);

/**
 * Judges an IP address. Forms of IPv6 that lead to an IPv4 address are what that address is; a text
 * that is no address is reserved.
 */
export function judgeAddress(text: string): JudgedAddress {
  // The zone only names the interface.
  const address = text.replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 4) return { kind: kindOf(address, 'ipv4') ?? 'public', address };
  const groups = version === 6 ? groupsOf(address) : null;
  if (groups === null) return { kind: 'reserved', address };
  const within = embeddedIpv4(groups);
  if (within !== null && (isOnlyIpv4(groups) || judgeAddress(within).kind !== 'public')) return judgeAddress(within);
  const known = kindOf(address, 'ipv6');
  return { kind: known ?? (globalUnicast.check(address, 'ipv6') ? 'public' : 'reserved'), address };
}

function kindOf(address: string, family: 'ipv4' | 'ipv6'): AddressKind | null {
  return kinds.find(([, list]) => list.check(address, family))?.[0] ?? null;
}

type Groups = readonly [number, number, number, number, number, number, number, number];

/** Whether an address of IPv6 is only a way to write one of IPv4, or translated to it. */
function isOnlyIpv4([a, b, c, d, e, f]: Groups): boolean {
  const isZero = (a | b | c | d) === 0;
  // Mapped (RFC 4291), translated (RFC 2765), NAT64 (RFC 6052).
  return (
    (isZero && e === 0 && f === 0xffff) ||
    (isZero && e === 0xffff && f === 0) ||
    (a === 0x64 && b === 0xff9b && (c | d | e | f) === 0)
  );
}

/**
 * The IPv4 address that an address of IPv6 leads to, by mapping or translation, 6to4 (RFC 3056), as
 * compatible address (RFC 4291) or by ISATAP (RFC 5214). Teredo's are reserved altogether.
 */
function embeddedIpv4(groups: Groups): string | null {
  const [a, b, c, d, e, f, g, h] = groups;
  const isIsatap = (e === 0 || e === 0x200) && f === 0x5efe;
  const isLocalNat64 = a === 0x64 && b === 0xff9b && c === 1;
  // The addresses :: and ::1 have the form of compatible ones.
  const isCompatible = (a | b | c | d | e | f) === 0 && (g !== 0 || h > 1);
  if (isOnlyIpv4(groups) || isIsatap || isLocalNat64 || isCompatible) return ipv4Of(g, h);
  return a === 0x2002 ? ipv4Of(b, c) : null;
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The eight groups of an address of IPv6; null if it cannot be read. */
function groupsOf(address: string): Groups | null {
  // The URL parser writes all forms in one, with hexadecimal groups only.
  const text = URL.canParse(`http://[${address}]`) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : '';
  const [before = '', after] = text.split('::');
  const read = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const [head, tail] = [read(before), read(after ?? '')];
  const zeros = after === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => 0);
  const all = [...head, ...zeros, ...tail];
  return all.length === 8 ? (all as unknown as Groups) : null;
}

function blockList(...lists: readonly (readonly string[])[]): BlockList {
  const list = new BlockList();
  for (const [network = '', bits] of lists.flat().map((one) => one.split('/')))
    list.addSubnet(network, Number(bits), isIP(network) === 6 ? 'ipv6' : 'ipv4');
  return list;
}
