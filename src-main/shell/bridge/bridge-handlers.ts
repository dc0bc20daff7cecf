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

/** What the bridge's functions act upon. */
export interface BridgeDeps {
  /** The contents of our own windows. */
  readonly ownContents: ReadonlySet<number>;
  /** Whether the service staged this path to be dragged. */
  readonly isStaged: (path: string) => Promise<boolean>;
  /** Hears of paths that the user has chosen. */
  readonly onChosen: (paths: readonly string[]) => void;
  readonly openServicePath: (path: string) => Promise<void>;
  readonly copySecret: (secret: string) => Promise<void>;
  readonly rememberTheme: (theme: Theme) => void;
  /** The page hears from now on where it is to go. */
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

/** Answers the functions of the preload bridge. Every call is checked first: who sends it, then what it says. */
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
    // The page waits for this word, so that what it asks of the service next comes after it.
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

/** The window that a message comes from, after making sure that it is one of ours and shows our own page. */
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
