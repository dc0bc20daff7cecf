// Paths of the checkout, and the script's requirements on the machine.
import path from 'node:path';

/** Root of the checkout. */
export const root = path.resolve(import.meta.dirname, '../..');

/** A path inside the checkout. */
export const inRoot = (...parts) => path.join(root, ...parts);

/** True when running as root, where Chromium's sandbox cannot start. */
export const isRoot = process.getuid?.() === 0;

/** Exits with one line if npm did not put the project's own Node first on PATH. */
export function requireNode24() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major >= 24 || (major === 22 && process.platform !== 'linux')) return;
  console.error(
    `Benchport needs Node 24 and this is ${process.version}. Run it through npm ("npm install", then "npm start"), which uses the one in node_modules.`,
  );
  process.exit(1);
}
