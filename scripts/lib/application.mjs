// How the application of this checkout is started with an Electron.
import { withUtf8 } from './locale.mjs';
import { root } from './project.mjs';
import { sandboxSwitches } from './sandbox.mjs';

/** What stands behind the executable. */
export const applicationLine = (args) => [...sandboxSwitches, root, ...args];

/** Its variables: the service runs on our Node where Electron's own is too old for it. */
export const applicationEnvironment = () => ({ ...withUtf8(process.env), BENCHPORT_DEV_NODE: process.execPath });
