import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// What lies there answers whoever shares the machine or the cable: the metadata services of clouds, with their secrets, and never a Sentry.
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16);
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addAddress('fd00:ec2::254', 'ipv6');

/** Whether the host of an address is a number that nobody who chooses an external backend may have asked. */
export function isLinkLocal(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  return version !== 0 && linkLocal.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** Looks a name up as Node does, and leaves such addresses out: a name can lead there as well, and elsewhere the next time. */
export const lookUpElsewhere: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const usable = error ? [] : found.filter(({ address }) => !isLinkLocal(address));
    const [first] = usable;
    if (!first) callback(error ?? notFound(hostname), '', 0);
    else if (options.all === true) (callback as unknown as (error: null, addresses: LookupAddress[]) => void)(null, usable);
    else callback(null, first.address, first.family);
  });
};

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address of ${hostname} may be asked`), { code: 'ENOTFOUND' });
}
