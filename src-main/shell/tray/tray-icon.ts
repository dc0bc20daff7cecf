import { Menu, nativeImage, Tray, type NativeImage } from 'electron';
import path from 'node:path';
import { hasTrayHost } from './tray-host.ts';
import { trayTemplate, trayTooltip, type TrayActions, type TrayState } from './tray-template.ts';

/** At login the desktop's tray may start later than Benchport. */
const recheckAfterMs = [10_000, 60_000];

/** The tray icon, if the desktop shows one. */
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

  /** Shows the icon as soon as there is a tray; resolves to true if there is one now. */
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
    // On Linux a changed menu must be set again, which closes an open one, so it is set only if its
    // content changed.
    const template = trayTemplate(state, this.#actions);
    const menu = JSON.stringify(template);
    if (menu === this.#menuShown) return;
    this.#menuShown = menu;
    this.#tray.setContextMenu(Menu.buildFromTemplate(template));
  }

  /** Resets a checkbox to the actual state after its change was rejected. */
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

/** The application's icon; on macOS a template image, of which only the shape matters. */
function trayImage(folder: string, platform: NodeJS.Platform): NativeImage {
  const icon = (side: number): NativeImage => nativeImage.createFromPath(path.join(folder, `${side}x${side}.png`));
  if (platform === 'linux') return icon(32);
  const image = icon(16);
  if (image.isEmpty()) return image;
  image.addRepresentation({ scaleFactor: 2, buffer: icon(32).toPNG() });
  image.setTemplateImage(platform === 'darwin');
  return image;
}
