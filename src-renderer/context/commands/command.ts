/**
 * Where a command's shortcut applies: on every screen, on one screen, or only while a list has the
 * focus.
 */
export type CommandScope =
  | 'everywhere'
  | 'measurements'
  | 'transfers'
  | 'capture'
  | 'servers'
  | 'errors'
  | 'projects'
  | 'project'
  | 'tokens'
  | 'applications'
  | 'users'
  | 'notifications'
  | 'list';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group:
    | 'Go to'
    | 'View'
    | 'Measurements'
    | 'Transfers'
    | 'Capture'
    | 'Servers'
    | 'Errors'
    | 'Projects'
    | 'Tokens'
    | 'Applications'
    | 'Users'
    | 'Notifications'
    | 'List';
  readonly scope: CommandScope;
  /** `Mod` is Ctrl, and Cmd on a Mac. The first one is displayed. */
  readonly shortcuts: readonly string[];
  /** Works only in the window, which can use the operating system. */
  readonly desktopOnly?: true;
  /** Works only in a browser, whose files are on another machine than the service. */
  readonly browserOnly?: true;
}

/** The commands of a group, which apply in one scope unless they name their own. */
export function commandsOf<const Id extends string>(
  group: Command['group'],
  scope: CommandScope,
  list: readonly (Omit<Command, 'id' | 'group' | 'scope'> & { readonly id: Id; readonly scope?: CommandScope })[],
): readonly (Command & { readonly id: Id })[] {
  return list.map((command) => ({ group, scope, ...command }));
}
