// How to start the application of this checkout with an Electron executable.
import { withUtf8 } from './locale.mjs';
import { root } from './project.mjs';
import { sandboxSwitches } from './sandbox.mjs';

/** The arguments after the executable. */
export const applicationLine = (args) => [...sandboxSwitches, root, ...args];

/**
 * The environment: where Electron's Node is too old for the service, it runs on the current Node.
 */
export const applicationEnvironment = () => ({ ...withUtf8(process.env), BENCHPORT_DEV_NODE: process.execPath });
