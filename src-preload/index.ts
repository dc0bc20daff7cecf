// Runs sandboxed before the page and gives it one frozen object of named functions. Neither ipcRenderer nor an
// event object ever reaches the page, and whatever it passes is checked again in the main process.
import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron';
import { channels, versionSwitch, type DesktopBridge } from './bridge.ts';

const bridge: DesktopBridge = {
  platform: process.platform,
  version: process.argv.find((word) => word.startsWith(versionSwitch))?.slice(versionSwitch.length) ?? '',
  chooseFolder: () => ipcRenderer.invoke(channels.chooseFolder),
  chooseFiles: () => ipcRenderer.invoke(channels.chooseFiles),
  chooseExportFolder: () => ipcRenderer.invoke(channels.chooseExportFolder),
  pathsOf: (files) => files.map((file) => webUtils.getPathForFile(file)),
  startDrag: (path) => {
    ipcRenderer.send(channels.startDrag, path);
  },
  showInFolder: (path) => ipcRenderer.invoke(channels.showInFolder, path),
  openInBrowser: (path) => ipcRenderer.invoke(channels.openInBrowser, path),
  copySecret: (text) => ipcRenderer.invoke(channels.copySecret, text),
  onCommand: (listener) => {
    const forward = (_event: IpcRendererEvent, command: unknown): void => {
      if (typeof command === 'string') listener(command);
    };
    ipcRenderer.on(channels.command, forward);
    return () => {
      ipcRenderer.off(channels.command, forward);
    };
  },
  setTheme: (theme) => ipcRenderer.invoke(channels.setTheme, theme),
};

contextBridge.exposeInMainWorld('benchport', Object.freeze(bridge));
