import type { WebPreferences } from 'electron';

/** The preferences of every window: the page is an ordinary, sandboxed web page, isolated from its preload script. */
export const securePreferences = Object.freeze({
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webviewTag: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  spellcheck: false,
}) satisfies WebPreferences;
