// Runs sandboxed before the page and exposes one frozen object of named functions. Neither
// ipcRenderer nor event objects reach the page, and the main process checks every argument again.
import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron';
import { channels, versionSwitch, type DesktopBridge } from './bridge.ts';

const bridge: DesktopBridge = {
  platform: process.platform,
  version: process.argv.find((word) => word.startsWith(versionSwitch))?.slice(versionSwitch.length) ?? '',
  chooseFolders: () => ipcRenderer.invoke(channels.chooseFolders),
  chooseFiles: () => ipcRenderer.invoke(channels.chooseFiles),
  chooseExportFolder: () => ipcRenderer.invoke(channels.chooseExportFolder),
  chooseFetchFolder: () => ipcRenderer.invoke(channels.chooseFetchFolder),
  chooseNewBackup: (name) => ipcRenderer.invoke(channels.chooseNewBackup, name),
  chooseBackup: () => ipcRenderer.invoke(channels.chooseBackup),
  chooseDataFolder: () => ipcRenderer.invoke(channels.chooseDataFolder),
  pathsOf: (files) => {
    // A file that a script has made has no path, so the page cannot name paths of its own this way.
    const paths = files.map((file) => webUtils.getPathForFile(file));
    ipcRenderer.sendSync(channels.dropped, paths);
    return paths;
  },
  startDrag: (path) => {
    ipcRenderer.send(channels.startDrag, path);
  },
  showInFolder: (path) => ipcRenderer.invoke(channels.showInFolder, path),
  openInBrowser: (path) => ipcRenderer.invoke(channels.openInBrowser, path),
  copySecret: (text) => ipcRenderer.invoke(channels.copySecret, text),
  onCommand: (listener) => listen(channels.command, listener),
  setTheme: (theme) => ipcRenderer.invoke(channels.setTheme, theme),
  onNavigate: (listener) => {
    const stop = listen(channels.navigate, listener);
    // Delivers the route that was requested before the page listened.
    ipcRenderer.send(channels.navigateReady);
    return stop;
  },
  getDesktopSettings: () => ipcRenderer.invoke(channels.getDesktopSettings),
  setDesktopSettings: (change) => ipcRenderer.invoke(channels.setDesktopSettings, change),
  getUpdates: () => ipcRenderer.invoke(channels.getUpdates),
  actOnUpdates: (action) => ipcRenderer.invoke(channels.actOnUpdates, action),
};

/**
 * Passes the strings received on a channel to the listener, without the event objects.
 * @returns a function that unsubscribes.
 */
function listen(channel: string, listener: (word: string) => void): () => void {
  const forward = (_event: IpcRendererEvent, word: unknown): void => {
    if (typeof word === 'string') listener(word);
  };
  ipcRenderer.on(channel, forward);
  return () => {
    ipcRenderer.off(channel, forward);
  };
}

contextBridge.exposeInMainWorld('benchport', Object.freeze(bridge));
