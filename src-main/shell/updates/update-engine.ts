import { autoUpdater, BaseUpdater } from 'electron-updater';
import { signedFeed } from './signed-feed.ts';
import type { UpdateFeed } from './update-rules.ts';
import type { UpdateEngine } from './updates.ts';

/**
 * Fetches and installs with electron-updater.
 *
 * @param key as `verifyFeed` takes it.
 */
export function updateEngine(feed: UpdateFeed, key: string): UpdateEngine {
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.disableWebInstaller = true;
  // What goes wrong is thrown to us as well.
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
      // On a Mac the system's own installer gets it now, and ends the application when it has it.
      autoUpdater.autoRunAppAfterInstall = restart;
      autoUpdater.quitAndInstall();
      return true;
    },
  };
}
