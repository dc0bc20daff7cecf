// Builds everything into out/: main and service (ES modules for Node), preload (CommonJS, sandboxed), renderer (web).
// `npm run build -- main preload` builds only the parts named.
import fs from 'node:fs';
import { build } from 'vite';
import { builds } from './lib/builds.mjs';
import { builtMark } from './lib/freshness.mjs';
import { requireNode24 } from './lib/project.mjs';

/** Builds the named parts, or all of them; the mark that says "complete" is written only after all. */
export async function buildParts(names = [], report = console.log) {
  const parts = names.length === 0 ? builds : names.map(partNamed);
  const began = new Date();
  if (names.length === 0) fs.rmSync(builtMark, { force: true });
  for (const part of parts) {
    const started = performance.now();
    await build(part.config('production'));
    report(`built out/${part.name} in ${Math.round(performance.now() - started)} ms`);
  }
  if (names.length > 0) return;
  fs.writeFileSync(builtMark, '');
  // A source saved while the build ran is newer than the build.
  fs.utimesSync(builtMark, began, began);
}

function partNamed(name) {
  const part = builds.find((candidate) => candidate.name === name);
  if (!part) throw new Error(`There is no part "${name}"; the parts are ${builds.map((candidate) => candidate.name).join(', ')}.`);
  return part;
}

if (import.meta.main) {
  requireNode24();
  try {
    await buildParts(process.argv.slice(2));
  } catch (error) {
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  }
}
