// Builds everything into out/: main and service (ES modules for Node), preload (CommonJS, sandboxed), renderer (web).
import fs from 'node:fs';
import { build } from 'vite';
import { builds } from './lib/builds.mjs';
import { builtMark } from './lib/freshness.mjs';
import { requireNode24 } from './lib/project.mjs';

/** Builds everything; the mark that says "complete" is written only then. */
export async function buildAll(report = console.log) {
  const began = new Date();
  fs.rmSync(builtMark, { force: true });
  for (const part of builds) {
    const started = performance.now();
    await build(part.config('production'));
    report(`built out/${part.name} in ${Math.round(performance.now() - started)} ms`);
  }
  fs.writeFileSync(builtMark, '');
  // A source saved while the build ran is newer than the build.
  fs.utimesSync(builtMark, began, began);
}

if (import.meta.main) {
  requireNode24();
  try {
    await buildAll();
  } catch (error) {
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  }
}
