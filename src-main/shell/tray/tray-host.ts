import { execFile } from 'node:child_process';

/**
 * Programs, of which any may be installed, that ask the session bus whether a host for
 * StatusNotifierItem icons is running.
 */
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
 * Whether a tray icon would be visible. Windows and macOS always show it; some Linux desktops do
 * not, and Electron does not report that: an invisible icon would be the only way back to a hidden
 * window.
 */
export async function hasTrayHost(platform: NodeJS.Platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const [program, args] of questions) {
    const answer = await run(program, args);
    if (answer !== undefined) return /\btrue\b/.test(answer);
  }
  return false;
}

/** The output of a program; undefined if it is missing or fails. */
function run(program: string, args: readonly string[]): Promise<string | undefined> {
  // Without an address these programs would start a new bus with no other clients.
  const bus =
    process.env['DBUS_SESSION_BUS_ADDRESS'] ?? `unix:path=${process.env['XDG_RUNTIME_DIR'] ?? '/run/user/none'}/bus`;
  const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: bus };
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: 3000, maxBuffer: 10_000, env }, (error, stdout) =>
      resolve(error ? undefined : stdout),
    );
  });
}
