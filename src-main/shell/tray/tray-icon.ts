import { Menu, nativeImage, Tray, type NativeImage } from 'electron';
import path from 'node:path';
import { hasTrayHost } from './tray-host.ts';
import { trayTemplate, trayTooltip, type TrayActions, type TrayState } from './tray-template.ts';

/** At login the desktop may come up after us. */
const recheckAfterMs = [10_000, 60_000];

/** The icon in the tray, where there is one that somebody shows. */
export class TrayIcon {
  readonly #iconFolder: string;
  readonly #actions: TrayActions;
  #tray: Tray | undefined;
  #tooltipShown = '';
  #menuShown = '';
  #state: TrayState | undefined;

  constructor(iconFolder: string, actions: TrayActions) {
    this.#iconFolder = iconFolder;
    this.#actions = actions;
  }

  get isShown(): boolean {
    return this.#tray !== undefined;
  }

  /** Shows the icon as soon as there is a place for it; true when there is one now. */
  async appear(): Promise<boolean> {
    if (await this.#tryToAppear()) return true;
    for (const delay of recheckAfterMs) setTimeout(() => void this.#tryToAppear(), delay).unref();
    return false;
  }

  update(state: TrayState): void {
    this.#state = state;
    if (!this.#tray) return;
    const tooltip = trayTooltip(state);
    if (tooltip !== this.#tooltipShown) this.#tray.setToolTip(tooltip);
    this.#tooltipShown = tooltip;
    // On Linux a changed menu has to be set again, and one that is set again closes: only when it says something else.
    const template = trayTemplate(state, this.#actions);
    const menu = JSON.stringify(template);
    if (menu === this.#menuShown) return;
    this.#menuShown = menu;
    this.#tray.setContextMenu(Menu.buildFromTemplate(template));
  }

  /** A switch that was not accepted still shows what was wanted; this shows again what is. */
  correctMenu(): void {
    this.#menuShown = '';
    if (this.#state) this.update(this.#state);
  }

  remove(): void {
    this.#tray?.destroy();
    this.#tray = undefined;
  }

  async #tryToAppear(): Promise<boolean> {
    if (!this.#tray && (await hasTrayHost(process.platform))) {
      const icon = trayImage(this.#iconFolder, process.platform);
      if (icon.isEmpty()) return false;
      this.#tray = new Tray(icon);
      this.#tray.on('click', () => {
        if (process.platform !== 'darwin') this.#actions.open();
      });
      if (this.#state) this.update(this.#state);
    }
    return this.#tray !== undefined;
  }
}

/** The mark; on a Mac as a template, of which only the shape counts. */
function trayImage(folder: string, platform: NodeJS.Platform): NativeImage {
  const icon = (side: number): NativeImage => nativeImage.createFromPath(path.join(folder, `${side}x${side}.png`));
  if (platform === 'linux') return icon(32);
  const image = icon(16);
  if (image.isEmpty()) return image;
  image.addRepresentation({ scaleFactor: 2, buffer: icon(32).toPNG() });
  image.setTemplateImage(platform === 'darwin');
  return image;
}
