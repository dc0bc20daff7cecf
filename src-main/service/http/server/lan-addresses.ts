import os from 'node:os';

/** An address under which others may reach this machine. */
export interface LanAddress {
  /** Of the interface, such as `eth0` or `Wi-Fi`. */
  readonly name: string;
  readonly address: string;
  readonly family: 'IPv4' | 'IPv6';
}

// Networks of containers and virtual machines: nobody outside reaches this machine there.
const withinMachine = /^(docker|br-|veth|virbr|vmnet|vboxnet|vEthernet \((WSL|Default)|podman|cni|lxc)/;

/** The addresses of this machine beyond the loopback, IPv4 first. */
export function lanAddresses(): readonly LanAddress[] {
  return Object.entries(os.networkInterfaces())
    .flatMap(([name, list]) => (list ?? []).map((one) => ({ ...one, name, address: one.address.toLowerCase() })))
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
    .map(({ name, address, family }) => ({ name, address, family }))
    .toSorted((a, b) => a.family.localeCompare(b.family));
}

/**
 * The address to listen on. The chosen one, if there is a choice; else the one in use for as long as it is there, because another cable that is plugged in
 * must end nobody's download; else the first, but none within the machine.
 */
export function addressToUse(
  there: readonly LanAddress[],
  chosen: string | null,
  inUse: string | undefined,
): LanAddress | undefined {
  const at = (wanted: string | undefined) => there.find(({ address }) => address === wanted);
  return chosen === null ? (at(inUse) ?? there.find(({ name }) => !withinMachine.test(name))) : at(chosen);
}

/** The names of this machine on its network: as it calls itself, without a domain, and for multicast DNS. */
export function machineNames(): readonly [own: string, short: string, local: string] {
  const own = os.hostname().toLowerCase();
  const short = own.replace(/\..*$/, '');
  return [own, short, `${short}.local`];
}
