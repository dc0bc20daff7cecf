// Whether out/ is up to date with the sources.
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './project.mjs';

/** Written by a complete build, with the time of its start. */
export const builtMark = inRoot('out/built');

const sources = [
  'src-main',
  'src-preload',
  'src-renderer',
  'src-shared',
  'scripts/lib/builds.mjs',
  'package-lock.json',
];

/** True if nothing is built, or a source is newer than the build. */
export function isBuildStale() {
  const built = fs.statSync(builtMark, { throwIfNoEntry: false });
  return !built || sources.some((source) => newest(inRoot(source)) > built.mtimeMs);
}

function newest(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return fs.readdirSync(file).reduce((latest, name) => Math.max(latest, newest(path.join(file, name))), stat.mtimeMs);
}
