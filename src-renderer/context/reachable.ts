import { useQuery } from '@tanstack/react-query';
import type { ServiceStatus } from '../api/requests/types.ts';
import { useApp } from './context.ts';

type Addresses = Pick<ServiceStatus, 'base_url' | 'shared_url'>;

/**
 * An address of this service as others can use it: while it is shared, the one on the network takes the place of the base URL. A key before the host, as
 * the DSN of an SDK has one, stays where it is.
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

/** What curl needs to know the certificate of this service by; null where it needs nothing. */
export function usePublicKeyPin(): string | null {
  return useQuery(useApp().queries.service()).data?.public_key_pin ?? null;
}

/** Makes addresses that are copied or shown into ones that others can use. */
export function useReachable(): (url: string) => string {
  const service = useQuery(useApp().queries.service()).data;
  return (url) => reachableUrl(url, service);
}
