import type { Desktop } from '../../context/desktop.ts';
import { copyText } from './clipboard.ts';

const lifetime = 60_000;

/**
 * Whether this page may read the clipboard without a prompt. Otherwise, clearing it could delete
 * what was copied since.
 */
async function mayRead(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state === 'granted';
  } catch {
    return false;
  }
}

async function forget(secret: string): Promise<void> {
  try {
    if ((await navigator.clipboard.readText()) === secret) await navigator.clipboard.writeText('');
  } catch {
    // A page in the background may not access the clipboard: it retries when the page is visible
    // again.
    window.addEventListener('focus', () => void forget(secret), { once: true });
  }
}

/**
 * Copies a secret and removes it from the clipboard after a minute: the window's main process does
 * so, a browser only where the page may read the clipboard.
 * @returns whether it will be removed.
 */
export async function copySecret(secret: string, desktop: Desktop | null): Promise<boolean> {
  if (desktop !== null) {
    await desktop.copySecret(secret);
    return true;
  }
  await copyText(secret);
  if (!window.isSecureContext || !(await mayRead())) return false;
  setTimeout(() => void forget(secret), lifetime);
  return true;
}
