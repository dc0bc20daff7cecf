import { isProjectPath } from './project-path.ts';

const mark = '/-/';

/**
 * The address `/lab/qmr/-/error_tracking.json` as `/lab%2Fqmr/-/error_tracking.json`: the path of a project may have slashes, and with them
 * encoded an ordinary route `/:project/-/error_tracking.json` fits. Any other address comes back as it is.
 */
export function withProjectAsOneSegment(url: string): string {
  const at = url.indexOf(mark);
  // One segment already, or an address such as /-/health.
  if (at <= 0 || url.indexOf('/', 1) === at) return url;
  const path = url.slice(1, at);
  return isProjectPath(path) ? `/${path.replaceAll('/', '%2F')}${url.slice(at)}` : url;
}
