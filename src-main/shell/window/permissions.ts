import type { Session } from 'electron';
import { isAppUrl } from '../page/app-url.ts';

/** The one thing a page may do beyond showing itself: put text on the clipboard after a click. */
const granted = new Set(['clipboard-sanitized-write']);

/** Whether a page at this address may have a permission. */
export function isGranted(permission: string, requestingUrl: string): boolean {
  return granted.has(permission) && isAppUrl(requestingUrl);
}

/** Denies pages every permission, device and capture but the one granted. */
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
