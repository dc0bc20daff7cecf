import { autoUpdater, BaseUpdater } from 'electron-updater';
import { signedFeed } from './signed-feed.ts';
import type { UpdateFeed } from './update-rules.ts';
import type { UpdateEngine } from './updates.ts';

/**
 * Downloads and installs updates with electron-updater.
 * @param key as for `verifyFeed`.
 */
export function updateEngine(feed: UpdateFeed, key: string): UpdateEngine {
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.disableWebInstaller = true;
  // Errors are also thrown, so electron-updater need not log them.
  autoUpdater.logger = null;
  autoUpdater.setFeedURL({ provider: 'custom', updateProvider: signedFeed(feed, key) });
  return {
    look: async () => {
      const result = await autoUpdater.checkForUpdates();
      return result?.isUpdateAvailable === true ? result.updateInfo.version : null;
    },
    fetch: async (progress) => {
      const tell = ({ percent }: { readonly percent: number }): void => progress(percent / 100);
      autoUpdater.on('download-progress', tell);
      try {
        await autoUpdater.downloadUpdate();
      } finally {
        autoUpdater.off('download-progress', tell);
      }
    },
    install: (restart) => {
      if (autoUpdater instanceof BaseUpdater) {
        autoUpdater.install(true, restart);
        return false;
      }
      // On macOS the operating system's installer takes the package now and ends the application
      // afterwards.
      autoUpdater.autoRunAppAfterInstall = restart;
      autoUpdater.quitAndInstall();
      return true;
    },
  };
}
