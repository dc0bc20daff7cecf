/** What the window may ask of the operating system: the page's `window.benchport`. Data never goes through here, it goes by HTTP. */
export interface DesktopBridge {
  readonly platform: string;
  readonly version: string;
  /** Asks for folders to register; empty when the user cancels. */
  chooseFolders(): Promise<string[]>;
  /** Asks for files or ZIP archives to register; empty when the user cancels. */
  chooseFiles(): Promise<string[]>;
  /** Asks where to put an export; null when the user cancels. */
  chooseExportFolder(): Promise<string | null>;
  /** Asks where to put what is fetched; null when the user cancels. */
  chooseFetchFolder(): Promise<string | null>;
  /** Asks for a new file for a backup; null when the user cancels. */
  chooseNewBackup(name: string): Promise<string | null>;
  /** Asks for a backup to restore; null when the user cancels. */
  chooseBackup(): Promise<string | null>;
  /** Asks for a folder that backups are made into, or that the data go to; null when the user cancels. */
  chooseDataFolder(): Promise<string | null>;
  /** The absolute paths of files dropped into the window, in their order; empty strings for what has no path. They count as chosen. */
  pathsOf(files: File[]): string[];
  /** Starts dragging a path that the service staged out of the window. */
  startDrag(path: string): void;
  showInFolder(path: string): Promise<void>;
  /** Opens a path of the service, such as `/api/docs`, in the user's browser. */
  openInBrowser(path: string): Promise<void>;
  /** Copies a secret; it leaves the clipboard after a minute, unless something else has been copied since. */
  copySecret(text: string): Promise<void>;
  /** Hears the ids of commands chosen in the menu; the answer ends that. */
  onCommand(listener: (command: string) => void): () => void;
  setTheme(theme: Theme): Promise<void>;
  /** Hears the addresses within the user interface, such as `/transfers/7`, that a link or a notification leads to; the answer ends that. */
  onNavigate(listener: (route: string) => void): () => void;
  getDesktopSettings(): Promise<DesktopSettings>;
  /** Changes some settings; answers with all as they are then. */
  setDesktopSettings(change: DesktopSettingsChange): Promise<DesktopSettings>;
  getUpdates(): Promise<Updates>;
  /** Does something about updates; answers with how it stands then. */
  actOnUpdates(action: UpdateAction): Promise<Updates>;
}

/** How this copy of Benchport is kept up to date. */
export interface Updates {
  readonly version: string;
  /** What it follows, such as `latest` or `beta`. */
  readonly channel: string;
  /** When it was last looked for, in UTC; null before. */
  readonly lookedAt: string | null;
  readonly state: UpdateState;
}

export type UpdateState =
  | { readonly kind: 'off'; readonly why: UpdatesOff }
  /** Nothing newer is known. */
  | { readonly kind: 'quiet' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'found'; readonly version: string }
  | { readonly kind: 'fetching'; readonly version: string; readonly fraction: number }
  /** Fetched and proven. Nothing is installed before the user has said when. */
  | {
      readonly kind: 'ready';
      readonly version: string;
      readonly install: 'asks' | 'when-calm' | 'at-quit';
      readonly waitsFor: readonly UpdateHindrance[];
    }
  | { readonly kind: 'failed'; readonly message: string };

/** Why a copy gets no updates: made for development, without an address, with one that is not https, without a key, or a folder unpacked by hand. */
export type UpdatesOff = 'development' | 'no-feed' | 'not-https' | 'no-key' | 'unpacked';
/** What an update waits for: what comes in, what goes out, and work such as a registration. */
export type UpdateHindrance = 'fetches' | 'transfers' | 'jobs';
/** `install` ends Benchport as soon as nothing goes on that it would interrupt. */
export type UpdateAction = 'look' | 'fetch' | 'install' | 'install-at-quit' | 'not-now';

/** How Benchport lives on this desktop. */
export interface DesktopSettings {
  /** As the system says. */
  readonly startAtLogin: boolean;
  /** Whether closing the window leaves Benchport running in the tray; null before the user was asked. */
  readonly closeToTray: boolean | null;
  /** Whether there is a tray that shows its icon. */
  readonly hasTray: boolean;
  /** Whether the computer is kept from sleeping while something is fetched. */
  readonly keepAwake: boolean;
  /** Whether the system shows notifications. */
  readonly canNotify: boolean;
  readonly notifications: NotificationSwitches;
  readonly updates: UpdateSwitches;
  /** What of the last change the system did not accept, and why. */
  readonly problem: string | null;
}

/** The kinds of notifications: fetches that finished, fetches that failed or ask, errors that are new or came back, measurements that became degraded. */
export interface NotificationSwitches {
  readonly finished: boolean;
  readonly failed: boolean;
  readonly error: boolean;
  readonly degraded: boolean;
}

/** Whether updates are looked for by themselves, and fetched when there is one. */
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

/** The channels between the preload script and the main process, one for each power. */
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

/** How the main process tells the preload script the application's version, as an argument of the page's process. */
export const versionSwitch = '--benchport-version=';
