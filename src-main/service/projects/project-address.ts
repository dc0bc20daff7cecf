import { isProjectPath } from '../../../src-shared/project-path.ts';

const mark = '/-/';

/**
 * Rewrites `/lab/qmr/-/error_tracking.json` to `/lab%2Fqmr/-/error_tracking.json`: with the slashes
 * of a project path encoded, an ordinary route `/:project/-/error_tracking.json` matches. Other
 * addresses are returned unchanged.
 */
export function withProjectAsOneSegment(url: string): string {
  const at = url.indexOf(mark);
  // A single segment already, or an address such as /-/health.
  if (at <= 0 || url.indexOf('/', 1) === at) return url;
  const path = url.slice(1, at);
  return isProjectPath(path) ? `/${path.replaceAll('/', '%2F')}${url.slice(at)}` : url;
}
