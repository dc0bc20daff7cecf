import type { NotificationKind } from '../api/requests/types.ts';

/** What happened, in a few words. */
export const notificationWords: Readonly<Record<NotificationKind, string>> = {
  'run-registered': 'Run registered',
  'run-stuck': 'Run needs you',
  'copy-verified': 'Copy verified',
  'copy-lost': 'Copy lost',
  degraded: 'Files are not as registered',
  'error-new': 'New error',
  'error-regressed': 'Error is back',
  'copy-late': 'Copy is late',
  'error-storm': 'Far more errors than usual',
  'disk-low': 'Little space',
  'backup-late': 'No backup',
  'ending-soon': 'Expires soon',
  'sign-in-new-place': 'Sign-in from a new place',
};
