/** Texts of audit actions by group; the keys are the action names of the API. */
export const actionGroups: readonly {
  readonly name: string;
  readonly prefix: string;
  readonly actions: Readonly<Record<string, string>>;
}[] = [
  {
    name: 'Accounts',
    prefix: 'user.',
    actions: {
      'user.sign-in': 'Signed in',
      'user.sign-in-failed': 'Failed to sign in',
      'user.lock': 'Locked after wrong passwords',
      'user.unlock': 'Unlocked',
      'user.session-end': 'Ended a sign-in',
      'user.create': 'Created a user',
      'user.update': 'Changed a user',
      'user.password-change': 'Changed a password',
      'user.totp-on': 'Turned an authenticator on',
      'user.totp-off': 'Turned an authenticator off',
      'user.recovery-codes': 'Made new recovery codes',
      'user.webauthn-add': 'Added a security key',
      'user.webauthn-remove': 'Removed a security key',
      'user.webauthn-counter': 'Security key may have been copied',
      'user.reset-2fa': 'Turned two-factor sign-in of a user off',
      'user.block': 'Blocked a user',
      'user.unblock': 'Unblocked a user',
      'user.delete': 'Deleted a user',
    },
  },
  {
    name: 'Tokens',
    prefix: 'token.',
    actions: {
      'token.create': 'Created a token',
      'token.rotate': 'Rotated a token',
      'token.revoke': 'Revoked a token',
      'token.reuse': 'Token used after it was rotated',
    },
  },
  {
    name: 'Applications',
    prefix: 'application.',
    actions: {
      'application.create': 'Registered an application',
      'application.update': 'Changed an application',
      'application.delete': 'Deleted an application',
      'application.renew-secret': 'Renewed the secret of an application',
    },
  },
  {
    name: 'Access of applications',
    prefix: 'oauth.',
    actions: {
      'oauth.approve': 'Gave an application access',
      'oauth.deny': 'Refused an application access',
      'oauth.issue': 'Application received a token',
      'oauth.revoke': 'Revoked access',
      'oauth.refresh-reuse': 'Refresh token used twice',
      'oauth.code-replay': 'Code used twice',
      'oauth.failed': 'Application was refused',
    },
  },
  {
    name: 'Notifications',
    prefix: 'notification.',
    actions: {
      'notification.create': 'Made a rule of notifications',
      'notification.change': 'Changed a rule of notifications',
      'notification.remove': 'Removed a rule of notifications',
      'notification.rotate-secret': 'Renewed the secret of a webhook',
    },
  },
  {
    name: 'Capture',
    prefix: 'capture.',
    actions: {
      'capture.create': 'Began to watch a folder',
      'capture.change': 'Changed how a folder is watched',
      'capture.remove': 'Stopped watching a folder',
      'capture.decide': 'Decided about a run in a watched folder',
    },
  },
  {
    name: 'Measurements',
    prefix: 'measurement.',
    actions: {
      'measurement.register': 'Registered a measurement',
      'measurement.rename': 'Renamed a measurement',
      'measurement.move': 'Moved a measurement into the object storage or back',
      'measurement.remove': 'Removed a measurement',
      'measurement.restore': 'Restored a removed measurement',
      'measurement.purge': 'Removed a measurement for good',
      'measurement.grant': 'Gave access to a measurement',
      'measurement.revoke': 'Revoked access to a measurement',
      'measurement.verify': 'Verified a measurement',
      'measurement.export': 'Exported a measurement',
      'measurement.copy': 'Kept a copy of a measurement on a server',
      'measurement.receipt': 'Issued a receipt of a measurement',
      'measurement.copy-lost': 'Found a copy on a server wrong or gone',
      'measurement.degraded': 'Found a measurement degraded',
      'measurement.restored': 'Found a measurement intact again',
    },
  },
  {
    name: 'Benches',
    prefix: 'bench.',
    actions: {
      'bench.add': 'A bench reported for the first time',
      'bench.owner': 'A bench reports with the token of another user',
      'bench.change': 'Changed a bench',
      'bench.remove': 'Removed a bench',
    },
  },
  {
    name: 'Projects',
    prefix: 'project.',
    actions: {
      'project.create': 'Created a project',
      'project.change': 'Changed a project',
      'project.member': 'Changed the members of a project',
      'project.remove': 'Deleted a project',
    },
  },
  {
    name: 'Client keys',
    prefix: 'client-key.',
    actions: { 'client-key.create': 'Created a client key', 'client-key.remove': 'Removed a client key' },
  },
  {
    name: 'Errors',
    prefix: 'error',
    actions: {
      'error.status': 'Resolved, ignored or reopened errors',
      'error.merge': 'Merged errors',
      'error.unmerge': 'Separated merged errors',
      'error.delete': 'Deleted errors',
      'error-tracking.settings': 'Changed how errors are tracked',
    },
  },
  {
    name: 'Sharing',
    prefix: 'sharing.',
    actions: {
      'sharing.on': 'Switched sharing on',
      'sharing.off': 'Switched sharing off',
      'sharing.end-transfer': 'Ended a transfer',
    },
  },
  {
    name: 'Data',
    prefix: 'data.',
    actions: {
      'data.backup': 'Made a backup',
      'data.backup-schedule': 'Changed when backups are made',
      'data.restore': 'Restored a backup',
      'data.move': 'Moved the data directory',
    },
  },
  {
    name: 'Settings',
    prefix: 'settings.',
    actions: {
      'settings.update': 'Changed a setting',
      'settings.mail': 'Changed the server for mail',
      'settings.outgoing': 'Changed the allowed hosts',
    },
  },
];

const words = new Map(actionGroups.flatMap(({ actions }) => Object.entries(actions)));

/** An action in words; an unknown one is returned unchanged. */
export function actionWords(action: string): string {
  return words.get(action) ?? action;
}

/** Actions that an administrator should not overlook. */
const alarming = new Set([
  'user.sign-in-failed',
  'user.lock',
  'user.webauthn-counter',
  'token.reuse',
  'oauth.refresh-reuse',
  'oauth.code-replay',
  'oauth.failed',
  'measurement.copy-lost',
  'measurement.degraded',
]);

/** Whether an administrator should look into an action. */
export function isAlarming(action: string): boolean {
  return alarming.has(action);
}
