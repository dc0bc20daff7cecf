/** Where a command's shortcut counts: on every screen, on one screen, or only while a list has the focus. */
export type CommandScope =
  | 'everywhere'
  | 'measurements'
  | 'transfers'
  | 'servers'
  | 'errors'
  | 'projects'
  | 'project'
  | 'tokens'
  | 'applications'
  | 'users'
  | 'list';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group:
    | 'Go to'
    | 'View'
    | 'Measurements'
    | 'Transfers'
    | 'Servers'
    | 'Errors'
    | 'Projects'
    | 'Tokens'
    | 'Applications'
    | 'Users'
    | 'List';
  readonly scope: CommandScope;
  /** `Mod` is Ctrl, and Cmd on a Mac. The first one is shown. */
  readonly shortcuts: readonly string[];
  /** Works only in the window, which has the powers of the operating system. */
  readonly desktopOnly?: true;
}

/** Every command there is. The palette, the shortcuts, their help and the window's menu are made from this list. */
const commandCatalogue = [
  // Numbered as the sidebar shows them.
  { id: 'go-measurements', title: 'Measurements', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+1'] },
  {
    id: 'go-transfers',
    title: 'Transfers',
    group: 'Go to',
    scope: 'everywhere',
    shortcuts: ['Mod+2'],
    desktopOnly: true,
  },
  { id: 'go-errors', title: 'Errors', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+3'] },
  { id: 'go-servers', title: 'Servers', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+4'], desktopOnly: true },
  { id: 'go-sharing', title: 'Sharing', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+5'] },
  { id: 'go-tokens', title: 'Tokens', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+6'] },
  { id: 'go-applications', title: 'Applications', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+7'] },
  { id: 'go-projects', title: 'Projects', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+8'] },
  { id: 'go-users', title: 'Users', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+9'] },
  { id: 'go-audit', title: 'Audit trail', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+Shift+L'] },
  { id: 'go-settings', title: 'Settings', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+,'] },
  { id: 'go-account', title: 'Account', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+Shift+A'] },

  { id: 'open-palette', title: 'Command palette', group: 'View', scope: 'everywhere', shortcuts: ['Mod+K'] },
  { id: 'find', title: 'Search in this list', group: 'View', scope: 'everywhere', shortcuts: ['Mod+F', '/'] },
  { id: 'close-inspector', title: 'Close the inspector', group: 'View', scope: 'everywhere', shortcuts: ['Escape'] },
  { id: 'show-shortcuts', title: 'Keyboard shortcuts', group: 'View', scope: 'everywhere', shortcuts: ['?', 'Mod+/'] },
  { id: 'theme-system', title: 'Appearance: as the system', group: 'View', scope: 'everywhere', shortcuts: [] },
  { id: 'theme-light', title: 'Appearance: light', group: 'View', scope: 'everywhere', shortcuts: [] },
  { id: 'theme-dark', title: 'Appearance: dark', group: 'View', scope: 'everywhere', shortcuts: [] },

  {
    id: 'register-folder',
    title: 'Register a folder…',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['Mod+N', 'N'],
    desktopOnly: true,
  },
  {
    id: 'register-files',
    title: 'Register files or a ZIP…',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['Mod+Shift+N'],
    desktopOnly: true,
  },
  { id: 'copy-url', title: 'Copy download URL', group: 'Measurements', scope: 'measurements', shortcuts: ['U'] },
  { id: 'copy-curl', title: 'Copy curl line', group: 'Measurements', scope: 'measurements', shortcuts: ['C'] },
  {
    id: 'copy-manifest-url',
    title: 'Copy manifest URL',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['M'],
  },
  {
    id: 'copy-checksums',
    title: 'Copy sha256sum list',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['S'],
  },
  { id: 'grant', title: 'Grant access…', group: 'Measurements', scope: 'measurements', shortcuts: ['G'] },
  { id: 'verify', title: 'Verify', group: 'Measurements', scope: 'measurements', shortcuts: ['V'] },
  {
    id: 'export',
    title: 'Export…',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['Mod+E'],
    desktopOnly: true,
  },
  { id: 'rename', title: 'Rename…', group: 'Measurements', scope: 'measurements', shortcuts: ['F2'] },
  {
    id: 'remove',
    title: 'Remove…',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['Delete', 'Mod+Backspace'],
  },

  {
    id: 'pause-all-fetches',
    title: 'Pause all transfers',
    group: 'Transfers',
    scope: 'everywhere',
    shortcuts: ['Mod+Shift+P'],
    desktopOnly: true,
  },
  {
    id: 'resume-all-fetches',
    title: 'Resume all transfers',
    group: 'Transfers',
    scope: 'everywhere',
    shortcuts: ['Mod+Shift+R'],
    desktopOnly: true,
  },
  {
    id: 'new-fetch',
    title: 'Fetch a measurement…',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['Mod+N', 'N'],
    desktopOnly: true,
  },
  { id: 'pause-fetch', title: 'Pause', group: 'Transfers', scope: 'transfers', shortcuts: ['P'], desktopOnly: true },
  { id: 'resume-fetch', title: 'Resume', group: 'Transfers', scope: 'transfers', shortcuts: ['R'], desktopOnly: true },
  {
    id: 'retry-fetch',
    title: 'Try again',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['T'],
    desktopOnly: true,
  },
  { id: 'stop-fetch', title: 'Stop…', group: 'Transfers', scope: 'transfers', shortcuts: ['S'], desktopOnly: true },
  {
    id: 'verify-fetch',
    title: 'Verify again',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['V'],
    desktopOnly: true,
  },
  {
    id: 'show-fetch-folder',
    title: 'Show in folder',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['F'],
    desktopOnly: true,
  },
  {
    id: 'fetch-first',
    title: 'Move to the front',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['Alt+Home'],
    desktopOnly: true,
  },
  {
    id: 'fetch-earlier',
    title: 'Move up',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['Alt+ArrowUp'],
    desktopOnly: true,
  },
  {
    id: 'fetch-later',
    title: 'Move down',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['Alt+ArrowDown'],
    desktopOnly: true,
  },
  {
    id: 'fetch-last',
    title: 'Move to the end',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['Alt+End'],
    desktopOnly: true,
  },
  {
    id: 'fetch-urgent',
    title: 'Priority: high',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['H'],
    desktopOnly: true,
  },
  {
    id: 'fetch-usual',
    title: 'Priority: normal',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['M'],
    desktopOnly: true,
  },
  {
    id: 'fetch-idle',
    title: 'Priority: low',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['L'],
    desktopOnly: true,
  },
  {
    id: 'remove-fetch',
    title: 'Remove from the list',
    group: 'Transfers',
    scope: 'transfers',
    shortcuts: ['Delete', 'Mod+Backspace'],
    desktopOnly: true,
  },

  {
    id: 'add-server',
    title: 'Add a server…',
    group: 'Servers',
    scope: 'servers',
    shortcuts: ['Mod+N', 'N'],
    desktopOnly: true,
  },
  {
    id: 'test-server',
    title: 'Test the connection',
    group: 'Servers',
    scope: 'servers',
    shortcuts: ['T'],
    desktopOnly: true,
  },
  { id: 'edit-server', title: 'Edit…', group: 'Servers', scope: 'servers', shortcuts: ['F2', 'E'], desktopOnly: true },
  {
    id: 'remove-server',
    title: 'Remove…',
    group: 'Servers',
    scope: 'servers',
    shortcuts: ['Delete', 'Mod+Backspace'],
    desktopOnly: true,
  },
  { id: 'fetch-measurement', title: 'Fetch…', group: 'Servers', scope: 'servers', shortcuts: ['F'], desktopOnly: true },

  { id: 'resolve-error', title: 'Resolve', group: 'Errors', scope: 'errors', shortcuts: ['R'] },
  { id: 'ignore-error', title: 'Ignore', group: 'Errors', scope: 'errors', shortcuts: ['I'] },
  { id: 'reopen-error', title: 'Reopen', group: 'Errors', scope: 'errors', shortcuts: ['U'] },
  { id: 'merge-errors', title: 'Merge…', group: 'Errors', scope: 'errors', shortcuts: ['M'] },
  { id: 'delete-error', title: 'Delete…', group: 'Errors', scope: 'errors', shortcuts: ['Delete', 'Mod+Backspace'] },
  { id: 'older-event', title: 'Older event', group: 'Errors', scope: 'errors', shortcuts: ['O'] },
  { id: 'newer-event', title: 'Newer event', group: 'Errors', scope: 'errors', shortcuts: ['N'] },
  { id: 'oldest-event', title: 'Oldest event', group: 'Errors', scope: 'errors', shortcuts: ['Shift+O'] },
  { id: 'latest-event', title: 'Latest event', group: 'Errors', scope: 'errors', shortcuts: ['Shift+N'] },

  { id: 'create-project', title: 'Create a project…', group: 'Projects', scope: 'projects', shortcuts: ['Mod+N', 'N'] },
  { id: 'add-member', title: 'Add a member…', group: 'Projects', scope: 'project', shortcuts: ['M'] },
  { id: 'create-client-key', title: 'Create a client key', group: 'Projects', scope: 'project', shortcuts: ['N'] },
  { id: 'rotate-client-key', title: 'Rotate a client key…', group: 'Projects', scope: 'project', shortcuts: ['R'] },
  { id: 'send-test-event', title: 'Send a test event', group: 'Projects', scope: 'project', shortcuts: ['T'] },

  { id: 'create-token', title: 'Create a token…', group: 'Tokens', scope: 'tokens', shortcuts: ['Mod+N', 'N'] },
  { id: 'rotate-token', title: 'Rotate…', group: 'Tokens', scope: 'tokens', shortcuts: ['R'] },
  { id: 'revoke-token', title: 'Revoke…', group: 'Tokens', scope: 'tokens', shortcuts: ['Delete', 'Mod+Backspace'] },

  {
    id: 'register-application',
    title: 'Register an application…',
    group: 'Applications',
    scope: 'applications',
    shortcuts: ['Mod+N', 'N'],
  },
  { id: 'edit-application', title: 'Edit…', group: 'Applications', scope: 'applications', shortcuts: ['F2', 'E'] },
  { id: 'renew-secret', title: 'Renew the secret…', group: 'Applications', scope: 'applications', shortcuts: ['R'] },
  {
    id: 'delete-application',
    title: 'Delete…',
    group: 'Applications',
    scope: 'applications',
    shortcuts: ['Delete', 'Mod+Backspace'],
  },

  { id: 'create-user', title: 'Create a user…', group: 'Users', scope: 'users', shortcuts: ['Mod+N', 'N'] },

  { id: 'list-next', title: 'Next row', group: 'List', scope: 'list', shortcuts: ['ArrowDown', 'J'] },
  { id: 'list-previous', title: 'Previous row', group: 'List', scope: 'list', shortcuts: ['ArrowUp', 'K'] },
  {
    id: 'list-extend-next',
    title: 'Select to the next row',
    group: 'List',
    scope: 'list',
    shortcuts: ['Shift+ArrowDown', 'Shift+J'],
  },
  {
    id: 'list-extend-previous',
    title: 'Select to the previous row',
    group: 'List',
    scope: 'list',
    shortcuts: ['Shift+ArrowUp', 'Shift+K'],
  },
  { id: 'list-page-down', title: 'One page down', group: 'List', scope: 'list', shortcuts: ['PageDown'] },
  { id: 'list-page-up', title: 'One page up', group: 'List', scope: 'list', shortcuts: ['PageUp'] },
  { id: 'list-first', title: 'First row', group: 'List', scope: 'list', shortcuts: ['Home'] },
  { id: 'list-last', title: 'Last row', group: 'List', scope: 'list', shortcuts: ['End'] },
  { id: 'list-toggle', title: 'Select or deselect the row', group: 'List', scope: 'list', shortcuts: ['X', 'Space'] },
  { id: 'list-select-all', title: 'Select all that match', group: 'List', scope: 'list', shortcuts: ['Mod+A'] },
  { id: 'list-open', title: 'Open', group: 'List', scope: 'list', shortcuts: ['Enter'] },
] as const satisfies readonly Command[];

export type CommandId = (typeof commandCatalogue)[number]['id'];

/** All commands, with the type that has every optional member. */
export const commands: readonly (Command & { readonly id: CommandId })[] = commandCatalogue;

/** Whether two scopes can be active at the same time, so that one shortcut would mean two things. */
function scopesOverlap(one: CommandScope, other: CommandScope): boolean {
  const anywhere = (scope: CommandScope): boolean => scope === 'everywhere' || scope === 'list';
  return anywhere(one) || anywhere(other) || one === other;
}

/** Pairs of commands that would answer to the same keys. */
export function findConflicts(
  list: readonly Command[],
): { readonly keys: string; readonly ids: readonly [string, string] }[] {
  return list.flatMap((command, position) =>
    list
      .slice(position + 1)
      .filter((other) => scopesOverlap(command.scope, other.scope))
      .flatMap((other) =>
        command.shortcuts
          .filter((keys) => other.shortcuts.includes(keys))
          .map((keys) => ({ keys, ids: [command.id, other.id] as const })),
      ),
  );
}
