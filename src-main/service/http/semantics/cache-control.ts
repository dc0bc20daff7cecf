const collector = '/api/v4/error_tracking/collector/';

/**
 * What answers of the API say about caching unless their route says otherwise. They are about now and about who asks, so nothing may store them; the
 * collector's are never read by the pages that send errors, and those need the browser to drain them (see `ingestHeaders`).
 */
export function apiCacheControl(url: string): 'no-store' | 'no-cache' {
  return url.startsWith(collector) ? 'no-cache' : 'no-store';
}
