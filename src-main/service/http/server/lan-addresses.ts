import os from 'node:os';

/** An address under which other machines may reach this one. */
export interface LanAddress {
  /** Of the interface, such as `eth0` or `Wi-Fi`. */
  readonly name: string;
  readonly address: string;
  readonly family: 'IPv4' | 'IPv6';
}

// Networks of containers and virtual machines: no other machine reaches this one through them.
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
 * The address to listen on: the chosen one if there is a choice; else the one in use while it
 * exists, because plugging in another cable must not end downloads; else the first that is not
 * internal to the machine.
 */
export function addressToUse(
  there: readonly LanAddress[],
  chosen: string | null,
  inUse: string | undefined,
): LanAddress | undefined {
  const at = (wanted: string | undefined) => there.find(({ address }) => address === wanted);
  return chosen === null ? (at(inUse) ?? there.find(({ name }) => !withinMachine.test(name))) : at(chosen);
}

/**
 * The names of this machine on its network: its host name, without a domain, and for multicast DNS.
 */
export function machineNames(): readonly [own: string, short: string, local: string] {
  const own = os.hostname().toLowerCase();
  const short = own.replace(/\..*$/, '');
  return [own, short, `${short}.local`];
}
