import type { Service } from 'bonjour-service';
import { BlockList, isIP } from 'node:net';
import os from 'node:os';
import type { DiscoveredServer } from '../contract/servers.ts';
import { shownName } from '../files/inspect-findings.ts';

// Announcements are untrusted, so their parts are limited.
const maxAddresses = 8;
const maxPathLength = 100;
const maxVersionLength = 40;

/** The parts of a DNS-SD service in use. */
export type AnnouncedService = Pick<Service, 'name' | 'port' | 'addresses' | 'txt'>;

/**
 * Turns an announced service into a server to offer; null when it has no near address or its fields
 * are invalid.
 */
export function discoveredAddress(
  { name, port, addresses, txt }: AnnouncedService,
  near: BlockList,
): Omit<DiscoveredServer, 'added'> | null {
  const address = (addresses ?? [])
    .slice(0, maxAddresses)
    .find((one) => isIP(one) !== 0 && near.check(one, isIP(one) === 6 ? 'ipv6' : 'ipv4'));
  if (address === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const path = textOf(txt, 'path') ?? '/';
  if (path.length > maxPathLength || !/^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/?$/.test(path)) return null;
  const tls = textOf(txt, 'tls') === '1';
  const url = new URL(`${tls ? 'https' : 'http'}://${isIP(address) === 6 ? `[${address}]` : address}:${port}${path}`);
  return {
    name: shownName(name),
    base_url: url.origin + url.pathname.replace(/\/+$/, ''),
    version: textOf(txt, 'version')?.slice(0, maxVersionLength) ?? null,
    certificate_sha256: tls ? fingerprintOf(textOf(txt, 'sha256')) : null,
  };
}

function fingerprintOf(text: string | null): string | null {
  return text !== null && /^[0-9a-f]{64}$/.test(text) ? text : null;
}

function textOf(txt: unknown, name: string): string | null {
  if (typeof txt !== 'object' || txt === null || !Object.hasOwn(txt, name)) return null;
  const value = (txt as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && value !== '' ? shownName(value) : null;
}

/**
 * Addresses considered near: private, link-local and loopback ones, and the subnets of this
 * machine. IPv6 link-local addresses are excluded, because a URL cannot contain them.
 */
export function nearAddresses(): BlockList {
  const near = new BlockList();
  near.addSubnet('10.0.0.0', 8);
  near.addSubnet('172.16.0.0', 12);
  near.addSubnet('192.168.0.0', 16);
  near.addSubnet('169.254.0.0', 16);
  near.addSubnet('127.0.0.0', 8);
  near.addSubnet('fc00::', 7, 'ipv6');
  near.addAddress('::1', 'ipv6');
  for (const { cidr, family, address } of Object.values(os.networkInterfaces()).flatMap((list) => list ?? [])) {
    const length = Number(cidr?.split('/')[1]);
    if (Number.isInteger(length) && !address.startsWith('fe80'))
      near.addSubnet(address, length, family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return near;
}
