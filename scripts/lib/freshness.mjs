// Whether out/ is what the sources would give now.
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './project.mjs';

/** Written by a complete build, dated to its beginning. */
export const builtMark = inRoot('out/built');

const sources = [
  'src-main',
  'src-preload',
  'src-renderer',
  'src-shared',
  'scripts/lib/builds.mjs',
  'package-lock.json',
];

/** True when nothing is built, or some source is newer than the build. */
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
