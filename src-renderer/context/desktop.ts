import type { DesktopBridge } from '../../src-preload/bridge.ts';

/**
 * Operating system functions of the window, which a browser does not have. The preload script
 * provides them.
 */
export type Desktop = DesktopBridge;

/** The bridge of the window, or null in a plain browser. */
export function findDesktop(): Desktop | null {
  return (window as { benchport?: Desktop }).benchport ?? null;
}
