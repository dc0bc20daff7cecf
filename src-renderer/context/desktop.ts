import type { DesktopBridge } from '../../src-preload/bridge.ts';

/** The powers of the operating system that the window has and a browser has not. The preload script provides them. */
export type Desktop = DesktopBridge;

/** The bridge of the window, or null in a plain browser. */
export function findDesktop(): Desktop | null {
  return (window as { benchport?: Desktop }).benchport ?? null;
}
