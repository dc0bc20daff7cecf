// A second application beside Benchport: a window that accepts drops, as a file manager does.
import { app, BrowserWindow } from 'electron';
import path from 'node:path';

void app.whenReady().then(() => {
  const window = new BrowserWindow({
    x: 1000,
    y: 0,
    width: 500,
    height: 500,
    webPreferences: { preload: path.join(import.meta.dirname, 'preload.cjs'), sandbox: true },
  });
  void window.loadFile(path.join(import.meta.dirname, 'index.html'));
});
