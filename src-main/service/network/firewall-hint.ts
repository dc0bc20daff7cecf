import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Sharing } from '../contract/sharing.ts';

type Hint = NonNullable<Sharing['firewall']>;

export interface FirewallDeps {
  readonly platform: NodeJS.Platform;
  /** Whether a system program is installed. */
  readonly has: (program: string) => Promise<boolean>;
}

export const thisSystem: FirewallDeps = { platform: process.platform, has: isInstalled };

/**
 * Explains how to allow connections through the system's firewall. It changes nothing, because that
 * requires an administrator.
 */
export async function firewallHint(port: number, announced: boolean, { platform, has }: FirewallDeps): Promise<Hint> {
  if (platform === 'win32') {
    return {
      text: 'Windows asks once whether Benchport may be reached: allow it on private networks. If that was refused, run this as an administrator:',
      command: `netsh advfirewall firewall add rule name="Benchport" dir=in action=allow protocol=TCP localport=${port} profile=private`,
    };
  }
  if (platform === 'darwin') {
    return {
      text: 'macOS asks once whether Benchport may be reached, and whether it may find devices on the local network: allow both. Later you find both in System Settings, under Network, Firewall, and under Privacy & Security, Local Network.',
      command: null,
    };
  }
  // firewalld first: where both are installed, it is the one that the distribution starts.
  if (await has('firewall-cmd')) {
    const names = announced ? ' --add-service=mdns' : '';
    return {
      text: 'firewalld is installed on this machine. While it runs, this lets others through:',
      command: `sudo firewall-cmd --permanent --add-port=${port}/tcp${names} && sudo firewall-cmd --reload`,
    };
  }
  if (await has('ufw'))
    return {
      text: 'ufw is installed on this machine. While it is active, this lets others through:',
      command: `sudo ufw allow ${port}/tcp`,
    };
  return {
    text: `Neither ufw nor firewalld is installed on this machine. If another firewall runs, let TCP port ${port} through.`,
    command: null,
  };
}

async function isInstalled(program: string): Promise<boolean> {
  // The PATH is not used, because that of an ordinary user often lacks the system folders.
  const places = ['/usr/sbin', '/sbin', '/usr/bin', '/bin'].map((folder) => path.join(folder, program));
  const found = await Promise.all(
    places.map((place) =>
      access(place).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
