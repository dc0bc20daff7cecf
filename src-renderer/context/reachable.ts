import { useQuery } from '@tanstack/react-query';
import type { ServiceStatus } from '../api/requests/types.ts';
import { useApp } from './context.ts';

type Addresses = Pick<ServiceStatus, 'base_url' | 'shared_url'>;

/**
 * An address of this service for other machines: while it is shared, the network address replaces
 * the base URL. A key before the host, as in the DSN of an SDK, is kept.
 */
export function reachableUrl(url: string, service: Addresses | undefined): string {
  if (service === undefined || service.shared_url === null) return url;
  const base = service.base_url.replace(/\/$/, '');
  const key = /^[a-z]+:\/\/([^/@]*@)/.exec(url)?.[1] ?? '';
  const plain = url.replace(key, '');
  return plain === base || plain.startsWith(`${base}/`)
    ? service.shared_url.replace('//', `//${key}`) + plain.slice(base.length)
    : url;
}

/** The public key pin for curl; null where curl needs none. */
export function usePublicKeyPin(): string | null {
  return useQuery(useApp().queries.service()).data?.public_key_pin ?? null;
}

/** Makes addresses that are copied or displayed reachable for other machines. */
export function useReachable(): (url: string) => string {
  const service = useQuery(useApp().queries.service()).data;
  return (url) => reachableUrl(url, service);
}
