import type { Session } from 'electron';
import { isAppUrl } from '../page/app-url.ts';

/** The only permission a page has: writing text to the clipboard after a click. */
const granted = new Set(['clipboard-sanitized-write']);

/** Whether a page at this address is granted the permission. */
export function isGranted(permission: string, requestingUrl: string): boolean {
  return granted.has(permission) && isAppUrl(requestingUrl);
}

/** Denies pages every permission, device and capture except those granted above. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, decide, details) => {
    decide(isGranted(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isGranted(permission, requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, decide) => {
    decide({});
  });
}
