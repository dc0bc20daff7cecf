import { app, type BrowserWindow } from 'electron';
import type { DesktopLifeSettings } from '../settings/desktop-settings.ts';
import { closeQuestion, meaningOfClose, type Busy, type Question } from '../quitting/quit-rules.ts';
import type { QuitGuard } from '../quitting/quit-guard.ts';

export interface CloseWindowDeps {
  readonly guard: QuitGuard;
  readonly busy: () => Busy;
  readonly hasTray: () => boolean;
  readonly settings: Pick<DesktopLifeSettings, 'closeToTray' | 'change'>;
  readonly ask: (question: Question) => Promise<number>;
}

/** Makes closing the window hide it to the tray or quit, as the user has chosen. */
export function decideOnClose(window: BrowserWindow, { guard, busy, hasTray, settings, ask }: CloseWindowDeps): void {
  let asking = false;

  async function askOnce(): Promise<void> {
    const button = await ask(closeQuestion(busy()));
    if (button > 1) return;
    // An answer that cannot be stored still applies this time.
    await settings
      .change({ closeToTray: button === 0 })
      .catch((error: unknown) => console.error(`The answer could not be kept: ${String(error)}`));
    if (button === 1) guard.quitNow();
    else if (!window.isDestroyed()) window.hide();
  }

  window.on('close', (event) => {
    const means = meaningOfClose({
      platform: process.platform,
      quitting: guard.quitting,
      hasTray: hasTray(),
      closeToTray: settings.closeToTray,
      busy: busy(),
    });
    if (means === 'close') return;
    event.preventDefault();
    if (means === 'hide') window.hide();
    if (means === 'quit') app.quit();
    if (means === 'ask' && !asking) {
      asking = true;
      void askOnce().finally(() => {
        asking = false;
      });
    }
  });
}
