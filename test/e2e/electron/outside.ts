import type { ElectronApplication } from '@playwright/test';
import { expect } from './launch.ts';

/**
 * Records effects outside the window instead of showing them; message boxes are answered by
 * `answer`, otherwise with Cancel.
 */
export async function noteOutside(app: ElectronApplication): Promise<() => Promise<Record<string, unknown[]>>> {
  await app.evaluate(({ BrowserWindow, Notification, powerSaveBlocker, dialog, shell, Tray }) => {
    const notes: Record<string, unknown[]> = {
      bar: [],
      notices: [],
      awake: [],
      asked: [],
      tooltips: [],
      menus: [],
      shown: [],
      dragged: [],
    };
    Object.assign(globalThis, { notes, answers: [] as number[] });
    BrowserWindow.prototype.setProgressBar = (value, options) => void notes['bar']?.push([value, options?.mode]);
    Notification.isSupported = () => true;
    Notification.prototype.show = function show() {
      notes['notices']?.push([this.title, this.body]);
      Object.assign(globalThis, { lastNotice: this });
    };
    powerSaveBlocker.start = (type) => notes['awake']?.push(type) ?? 0;
    powerSaveBlocker.stop = () => Boolean(notes['awake']?.push('stop'));
    dialog.showMessageBox = (async (...values: unknown[]) => {
      const { message, buttons, defaultId, cancelId } = values.at(-1) as Electron.MessageBoxOptions;
      notes['asked']?.push([message, buttons, defaultId, cancelId]);
      return {
        response: (globalThis as unknown as { answers: number[] }).answers.shift() ?? cancelId,
        checkboxChecked: false,
      };
    }) as typeof dialog.showMessageBox;
    shell.showItemInFolder = (path) => void notes['shown']?.push(path);
    for (const { webContents } of BrowserWindow.getAllWindows())
      webContents.startDrag = ({ file }) => void notes['dragged']?.push(file);
    Tray.prototype.setToolTip = (text) => void notes['tooltips']?.push(text);
    Tray.prototype.setContextMenu = (menu) => {
      notes['menus']?.push(
        (menu?.items ?? [])
          .filter(({ type }) => type !== 'separator')
          .map(({ label, enabled, checked }) => [label, enabled, checked]),
      );
      Object.assign(globalThis, { lastMenu: menu });
    };
  });
  return () => app.evaluate(() => (globalThis as unknown as { notes: Record<string, unknown[]> }).notes);
}

/** Records URLs and paths instead of opening them. */
export async function recordOpened(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => {
      opened.push(url);
    };
    shell.showItemInFolder = (file) => {
      opened.push(`folder:${file}`);
    };
  });
  return () => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
}

/** Presses these buttons of the next message boxes. */
export function answer(app: ElectronApplication, ...buttons: number[]): Promise<void> {
  return app.evaluate(
    (_electron, next) => void (globalThis as unknown as { answers: number[] }).answers.push(...next),
    buttons,
  );
}

export function isVisible(app: ElectronApplication): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true);
}

/** Hides the window; a window manager may still show one that was shown and hidden at once. */
export async function hideWindow(app: ElectronApplication): Promise<void> {
  const hide = async (): Promise<boolean> => {
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    return isVisible(app);
  };
  await expect.poll(hide).toBe(false);
}
