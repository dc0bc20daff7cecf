/**
 * The page's `window.benchport`: its access to the operating system. Data never passes through it,
 * only through HTTP.
 */
export interface DesktopBridge {
  readonly platform: string;
  readonly version: string;
  /** Asks for folders to register; empty if the user cancels. */
  chooseFolders(): Promise<string[]>;
  /** Asks for files or ZIP archives to register; empty if the user cancels. */
  chooseFiles(): Promise<string[]>;
  /** Asks where to put an export; null if the user cancels. */
  chooseExportFolder(): Promise<string | null>;
  /** Asks where to put a fetch; null if the user cancels. */
  chooseFetchFolder(): Promise<string | null>;
  /** Asks for a new file for a backup; null if the user cancels. */
  chooseNewBackup(name: string): Promise<string | null>;
  /** Asks for a backup to restore; null if the user cancels. */
  chooseBackup(): Promise<string | null>;
  /** Asks for a folder for backups or for the data; null if the user cancels. */
  chooseDataFolder(): Promise<string | null>;
  /**
   * The absolute paths of files dropped into the window, in order; an empty string for an item
   * without a path. They count as chosen.
   */
  pathsOf(files: File[]): string[];
  /** Starts dragging a path that the service staged. */
  startDrag(path: string): void;
  showInFolder(path: string): Promise<void>;
  /** Opens a path of the service, such as `/api/docs`, in the user's browser. */
  openInBrowser(path: string): Promise<void>;
  /**
   * Copies a secret; it is cleared from the clipboard after a minute, unless something else was
   * copied since.
   */
  copySecret(text: string): Promise<void>;
  /**
   * Listens for the ids of commands chosen in the menu.
   * @returns a function that unsubscribes.
   */
  onCommand(listener: (command: string) => void): () => void;
  setTheme(theme: Theme): Promise<void>;
  /**
   * Listens for addresses within the user interface, such as `/transfers/7`, opened by a link or
   * notification.
   * @returns a function that unsubscribes.
   */
  onNavigate(listener: (route: string) => void): () => void;
  getDesktopSettings(): Promise<DesktopSettings>;
  /** Changes some settings; resolves to all settings afterwards. */
  setDesktopSettings(change: DesktopSettingsChange): Promise<DesktopSettings>;
  getUpdates(): Promise<Updates>;
  /** Performs an action on updates; resolves to the state afterwards. */
  actOnUpdates(action: UpdateAction): Promise<Updates>;
}

/** State of this copy's updates. */
export interface Updates {
  readonly version: string;
  /** The release channel, such as `latest` or `beta`. */
  readonly channel: string;
  /** Time of the last check, in UTC; null before the first. */
  readonly lookedAt: string | null;
  readonly state: UpdateState;
}

export type UpdateState =
  | { readonly kind: 'off'; readonly why: UpdatesOff }
  /** No newer version is known. */
  | { readonly kind: 'quiet' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'found'; readonly version: string }
  | { readonly kind: 'fetching'; readonly version: string; readonly fraction: number }
  /** Downloaded and verified. Nothing is installed before the user has chosen when. */
  | {
      readonly kind: 'ready';
      readonly version: string;
      readonly install: 'asks' | 'when-calm' | 'at-quit';
      readonly waitsFor: readonly UpdateHindrance[];
    }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Why a copy gets no updates: a development copy, no feed address, an address without https, no
 * key, or a folder unpacked by hand.
 */
export type UpdatesOff = 'development' | 'no-feed' | 'not-https' | 'no-key' | 'unpacked';
/** The work that an update waits for: fetches, outgoing transfers, and jobs such as a registration. */
export type UpdateHindrance = 'fetches' | 'transfers' | 'jobs';
/** `install` quits Benchport as soon as no work would be interrupted. */
export type UpdateAction = 'look' | 'fetch' | 'install' | 'install-at-quit' | 'not-now';

/** Settings of Benchport on this desktop. */
export interface DesktopSettings {
  /** As reported by the operating system. */
  readonly startAtLogin: boolean;
  /**
   * Whether closing the window leaves Benchport running in the tray; null until the user was asked.
   */
  readonly closeToTray: boolean | null;
  /** Whether the desktop has a tray that shows the icon. */
  readonly hasTray: boolean;
  /** Whether the computer is kept from suspending during a fetch. */
  readonly keepAwake: boolean;
  /** Whether the operating system supports notifications. */
  readonly canNotify: boolean;
  readonly notifications: NotificationSwitches;
  readonly updates: UpdateSwitches;
  /** Why the system rejected the last change; null if it did not. */
  readonly problem: string | null;
}

/**
 * Kinds of notifications: finished fetches, fetches that failed or need the user, new or reappeared
 * errors, measurements that became degraded.
 */
export interface NotificationSwitches {
  readonly finished: boolean;
  readonly failed: boolean;
  readonly error: boolean;
  readonly degraded: boolean;
}

/** Whether to check for updates automatically, and to download them. */
export interface UpdateSwitches {
  readonly look: boolean;
  readonly fetch: boolean;
}

export interface DesktopSettingsChange {
  readonly startAtLogin?: boolean;
  readonly closeToTray?: boolean;
  readonly keepAwake?: boolean;
  readonly notifications?: Partial<NotificationSwitches>;
  readonly updates?: Partial<UpdateSwitches>;
}

export type Theme = 'system' | 'light' | 'dark';

/** The IPC channels between preload script and main process, one per function. */
export const channels = {
  chooseFolders: 'benchport:choose-folders',
  chooseFiles: 'benchport:choose-files',
  chooseExportFolder: 'benchport:choose-export-folder',
  chooseFetchFolder: 'benchport:choose-fetch-folder',
  chooseNewBackup: 'benchport:choose-new-backup',
  chooseBackup: 'benchport:choose-backup',
  chooseDataFolder: 'benchport:choose-data-folder',
  dropped: 'benchport:dropped',
  startDrag: 'benchport:start-drag',
  showInFolder: 'benchport:show-in-folder',
  openInBrowser: 'benchport:open-in-browser',
  copySecret: 'benchport:copy-secret',
  setTheme: 'benchport:set-theme',
  command: 'benchport:command',
  navigate: 'benchport:navigate',
  navigateReady: 'benchport:navigate-ready',
  getDesktopSettings: 'benchport:get-desktop-settings',
  setDesktopSettings: 'benchport:set-desktop-settings',
  getUpdates: 'benchport:get-updates',
  actOnUpdates: 'benchport:act-on-updates',
} as const;

/**
 * The argument of the page's process by which the main process passes the application's version to
 * the preload script.
 */
export const versionSwitch = '--benchport-version=';
