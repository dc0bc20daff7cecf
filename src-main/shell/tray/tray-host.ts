import { execFile } from 'node:child_process';

/** Ways to ask the session bus whether something shows icons of the StatusNotifierItem specification; whichever is installed. */
const questions: readonly (readonly [program: string, arguments: readonly string[]])[] = [
  [
    'dbus-send',
    [
      '--session',
      '--print-reply=literal',
      '--reply-timeout=2000',
      '--dest=org.kde.StatusNotifierWatcher',
      '/StatusNotifierWatcher',
      'org.freedesktop.DBus.Properties.Get',
      'string:org.kde.StatusNotifierWatcher',
      'string:IsStatusNotifierHostRegistered',
    ],
  ],
  [
    'gdbus',
    [
      'call',
      '--session',
      '--timeout=2',
      '--dest=org.kde.StatusNotifierWatcher',
      '--object-path=/StatusNotifierWatcher',
      '--method=org.freedesktop.DBus.Properties.Get',
      'org.kde.StatusNotifierWatcher',
      'IsStatusNotifierHostRegistered',
    ],
  ],
];

/**
 * Whether an icon in the tray would be seen. Windows and macOS always show it; on Linux some desktops do not, and Electron does not say so: an icon that
 * nobody shows would be the only way back to a hidden window.
 */
export async function hasTrayHost(platform: NodeJS.Platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const [program, args] of questions) {
    const answer = await run(program, args);
    if (answer !== undefined) return /\btrue\b/.test(answer);
  }
  return false;
}

/** What a program prints; undefined when it is not there or has no answer. */
function run(program: string, args: readonly string[]): Promise<string | undefined> {
  // Without an address these programs would start a bus of their own, on which nobody is.
  const bus =
    process.env['DBUS_SESSION_BUS_ADDRESS'] ?? `unix:path=${process.env['XDG_RUNTIME_DIR'] ?? '/run/user/none'}/bus`;
  const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: bus };
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: 3000, maxBuffer: 10_000, env }, (error, stdout) =>
      resolve(error ? undefined : stdout),
    );
  });
}
