import { BrowserWindow, nativeTheme, screen } from 'electron';
import type Store from 'electron-store';
import { versionSwitch } from '../../../src-preload/bridge.ts';
import { homeUrl } from '../page/app-url.ts';
import { remember } from '../settings/remember.ts';
import type { Settings } from '../settings/settings.ts';
import { securePreferences } from './web-preferences.ts';
import { reachableBounds } from '../settings/window-bounds.ts';

export interface MainWindowDeps {
  readonly preload: string;
  readonly version: string;
  readonly developerTools: boolean;
  readonly settings: Store<Settings>;
}

/** Opens the application's window at its remembered position and loads the user interface. */
export function openMainWindow(deps: MainWindowDeps): BrowserWindow {
  const remembered = deps.settings.get('window');
  const displays = screen.getAllDisplays().map((display) => display.workArea);
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    ...reachableBounds(remembered?.bounds, displays),
    minWidth: 360,
    minHeight: 480,
    title: 'Benchport',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#131518' : '#f6f7f8',
    webPreferences: {
      ...securePreferences,
      preload: deps.preload,
      devTools: deps.developerTools,
      additionalArguments: [versionSwitch + deps.version],
    },
  });
  if (remembered?.maximized) window.maximize();
  window.once('ready-to-show', () => {
    window.show();
  });
  window.on('close', () => {
    remember(deps.settings, { window: { bounds: window.getNormalBounds(), maximized: window.isMaximized() } });
  });
  // A page that cannot be loaded cannot show the error, so it is only logged.
  void window.loadURL(homeUrl).catch((error: unknown) => {
    console.error(`The user interface could not be loaded: ${String(error)}`);
  });
  return window;
}

/** Restores a minimized or hidden window and brings it to the front. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
