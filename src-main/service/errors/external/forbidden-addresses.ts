import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// Link-local addresses are answered by any device on the cable, and cloud metadata services give
// secrets to every request from the machine.
const forbiddenAddresses = new BlockList();
forbiddenAddresses.addSubnet('169.254.0.0', 16);
forbiddenAddresses.addSubnet('fe80::', 10, 'ipv6');
// Metadata services outside of the link-local ranges: Alibaba Cloud, Azure (its wire server),
// Oracle Cloud Classic.
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192']) forbiddenAddresses.addAddress(address);
// Metadata services over IPv6: AWS, Google Cloud, Oracle Cloud, Scaleway.
for (const address of ['fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42'])
  forbiddenAddresses.addAddress(address, 'ipv6');
// An IPv4 address in the NAT64 prefix (RFC 6052) leads to that IPv4 address.
const nat64 = new BlockList();
nat64.addSubnet('64:ff9b::', 96, 'ipv6');

/** Whether a host is an IP address that an external backend must not have. */
export function isForbiddenAddress(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  if (version !== 6) return version === 4 && forbiddenAddresses.check(address, 'ipv4');
  return forbiddenAddresses.check(address, 'ipv6') || nat64.check(address, 'ipv6');
}

/**
 * Resolves a name as Node does and omits forbidden addresses: a name can resolve to one, at any
 * time.
 */
export const lookUpElsewhere: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const usable = error ? [] : found.filter(({ address }) => !isForbiddenAddress(address));
    const [first] = usable;
    if (!first) callback(error ?? notFound(hostname), '', 0);
    else if (options.all === true)
      (callback as unknown as (error: null, addresses: LookupAddress[]) => void)(null, usable);
    else callback(null, first.address, first.family);
  });
};

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address of ${hostname} may be asked`), { code: 'ENOTFOUND' });
}
