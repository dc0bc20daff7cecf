const collector = '/api/v4/error_tracking/collector/';

/**
 * The Cache-Control of API answers whose route sets none. They are current and personal, so nothing
 * may store them. Pages that send errors never read the collector's answers, and `no-store` would
 * keep the browser from draining them (see `ingestHeaders`).
 */
export function apiCacheControl(url: string): 'no-store' | 'no-cache' {
  return url.startsWith(collector) ? 'no-cache' : 'no-store';
}
