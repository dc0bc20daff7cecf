import { BrowserWindow, ipcMain, nativeTheme, shell, type IpcMainEvent, type IpcMainInvokeEvent } from 'electron';
import { channels, type Theme } from '../../../src-preload/bridge.ts';
import {
  backupNameArgument,
  desktopSettingsArgument,
  droppedPathsArgument,
  localPathArgument,
  noArguments,
  secretArgument,
  servicePathArgument,
  themeArgument,
  updateActionArgument,
} from './bridge-arguments.ts';
import type { DesktopLifeSettings } from '../settings/desktop-settings.ts';
import {
  chooseBackup,
  chooseDataFolder,
  chooseExportFolder,
  chooseFetchFolder,
  chooseFiles,
  chooseFolders,
  chooseNewBackup,
} from '../files/dialogs.ts';
import { dragOut } from '../files/drag-out.ts';
import { nearestPath } from '../files/nearest-path.ts';
import { isTrustedSender } from './trusted-sender.ts';
import type { DesktopUpdates } from '../updates/updates.ts';

export interface BridgeDeps {
  /** Ids of the web contents of the application's own windows. */
  readonly ownContents: ReadonlySet<number>;
  /** Whether the service staged this path for dragging. */
  readonly isStaged: (path: string) => Promise<boolean>;
  /** Called with paths that the user has chosen. */
  readonly onChosen: (paths: readonly string[]) => void;
  readonly openServicePath: (path: string) => Promise<void>;
  readonly copySecret: (secret: string) => Promise<void>;
  readonly rememberTheme: (theme: Theme) => void;
  /** Called when the page is ready to receive routes. */
  readonly pageListens: () => void;
  readonly settings: Pick<DesktopLifeSettings, 'read' | 'change'>;
  readonly updates: Pick<DesktopUpdates, 'read' | 'act'>;
}

const singleChoices = [
  [channels.chooseExportFolder, chooseExportFolder],
  [channels.chooseFetchFolder, chooseFetchFolder],
  [channels.chooseBackup, chooseBackup],
  [channels.chooseDataFolder, chooseDataFolder],
] as const;

/**
 * Handles the functions of the preload bridge. Each call's sender is checked first, then its
 * arguments.
 */
export function handleBridge(deps: BridgeDeps): void {
  const answer = (channel: string, act: (window: BrowserWindow, values: readonly unknown[]) => unknown): void => {
    ipcMain.handle(channel, (event, ...values: readonly unknown[]) =>
      act(trustedWindow(event, deps.ownContents), values),
    );
  };

  const noted = <T extends string | null | readonly string[]>(chosen: T): T => {
    deps.onChosen([chosen].flat().filter((path) => path !== null));
    return chosen;
  };
  answer(channels.chooseFolders, async (window, values) => {
    noArguments(values);
    return noted(await chooseFolders(window));
  });
  answer(channels.chooseFiles, async (window, values) => {
    noArguments(values);
    return noted(await chooseFiles(window));
  });
  for (const [channel, choose] of singleChoices) {
    answer(channel, async (window, values) => {
      noArguments(values);
      return noted(await choose(window));
    });
  }
  answer(channels.chooseNewBackup, async (window, values) =>
    noted(await chooseNewBackup(window, backupNameArgument(values))),
  );
  answer(channels.showInFolder, async (_window, values) => {
    shell.showItemInFolder(await nearestPath(localPathArgument(values)));
  });
  answer(channels.openInBrowser, (_window, values) => deps.openServicePath(servicePathArgument(values)));
  answer(channels.copySecret, (_window, values) => deps.copySecret(secretArgument(values)));
  answer(channels.setTheme, (_window, values) => {
    const theme = themeArgument(values);
    nativeTheme.themeSource = theme;
    deps.rememberTheme(theme);
  });

  answer(channels.getDesktopSettings, (_window, values) => {
    noArguments(values);
    return deps.settings.read();
  });
  answer(channels.setDesktopSettings, (_window, values) => deps.settings.change(desktopSettingsArgument(values)));
  answer(channels.getUpdates, (_window, values) => {
    noArguments(values);
    return deps.updates.read();
  });
  answer(channels.actOnUpdates, (_window, values) => deps.updates.act(updateActionArgument(values)));

  ipcMain.on(channels.navigateReady, (event, ...values: readonly unknown[]) => {
    try {
      trustedWindow(event, deps.ownContents);
      noArguments(values);
    } catch (error) {
      console.error(`Listening for links was refused: ${String(error)}`);
      return;
    }
    deps.pageListens();
  });
  ipcMain.on(channels.dropped, (event, ...values: readonly unknown[]) => {
    // The page waits for this value, so that its next request to the service arrives after the
    // paths are noted.
    event.returnValue = null;
    try {
      trustedWindow(event, deps.ownContents);
      deps.onChosen(droppedPathsArgument(values));
    } catch (error) {
      console.error(`What was dropped was refused: ${String(error)}`);
    }
  });
  ipcMain.on(channels.startDrag, (event, ...values: readonly unknown[]) => {
    startDrag(event, values, deps).catch((error: unknown) => {
      console.error(`Dragging out was refused: ${String(error)}`);
    });
  });
}

async function startDrag(event: IpcMainEvent, values: readonly unknown[], deps: BridgeDeps): Promise<void> {
  trustedWindow(event, deps.ownContents);
  const path = localPathArgument(values);
  if (!(await deps.isStaged(path))) throw new Error('the service did not stage this path');
  if (!event.sender.isDestroyed()) dragOut(event.sender, path);
}

/**
 * The window that sent a message.
 * @throws unless it is one of the application's own and shows its own page.
 */
function trustedWindow(event: IpcMainInvokeEvent | IpcMainEvent, ownContents: ReadonlySet<number>): BrowserWindow {
  const frame = event.senderFrame;
  const sender = {
    contentsId: event.sender.id,
    frame: frame && { url: frame.url, isMain: frame === event.sender.mainFrame },
  };
  const window = BrowserWindow.fromWebContents(event.sender);
  if (!isTrustedSender(sender, ownContents) || !window) throw new Error('This page is not allowed to do that.');
  return window;
}
