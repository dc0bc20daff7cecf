import type { Desktop } from '../../context/desktop.ts';
import { copyText } from './clipboard.ts';

const lifetime = 60_000;

/** Whether this page may look at the clipboard without asking anybody. Without that, emptying it could destroy what was copied since. */
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
    // A page in the background may not touch the clipboard: it is tried again when somebody comes back to it.
    window.addEventListener('focus', () => void forget(secret), { once: true });
  }
}

/**
 * Copies a secret so that it leaves the clipboard after a minute: the window's main process sees to it, a browser only where the page may read the
 * clipboard. Answers whether it will.
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
