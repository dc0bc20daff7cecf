import { app } from 'electron';
import path from 'node:path';
import { readAutostart, writeAutostart } from './autostart-file.ts';
import { hiddenSwitch } from './launch-options.ts';

/**
 * Start at login as the operating system knows it. Both functions query the system itself, where
 * the user may have changed it.
 */
export interface StartAtLogin {
  isOn(): Promise<boolean>;
  /** @throws if the system rejects the change. */
  set(on: boolean): Promise<void>;
}

/** Starts this application at login, in the background and with the given data directory. */
export function startAtLogin(platform: NodeJS.Platform, dataDir: string | undefined): StartAtLogin {
  const program = process.env['APPIMAGE'] ?? process.execPath;
  const args = [
    ...(app.isPackaged ? [] : [app.getAppPath()]),
    hiddenSwitch,
    ...(dataDir === undefined ? [] : [`--data=${dataDir}`]),
  ];
  if (platform === 'linux') {
    const file = path.join(app.getPath('appData'), 'autostart', 'benchport.desktop');
    return { isOn: () => readAutostart(file), set: (on) => writeAutostart(file, on, [program, ...args]) };
  }
  const isOn = async (): Promise<boolean> => app.getLoginItemSettings({ path: program, args }).openAtLogin;
  return {
    isOn,
    set: async (on) => {
      app.setLoginItemSettings({ openAtLogin: on, path: program, args });
      if ((await isOn()) === on) return;
      throw new Error(
        platform === 'darwin'
          ? 'The system did not accept it. Check System Settings, General, Login Items.'
          : 'The system did not accept it. Check Settings, Apps, Startup.',
      );
    },
  };
}
