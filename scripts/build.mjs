// Builds everything into out/: main and service (ES modules for Node), preload (CommonJS, sandboxed), renderer (web).
import fs from 'node:fs';
import { build, mergeConfig } from 'vite';
import { builds, native } from './lib/builds.mjs';
import { builtMark } from './lib/freshness.mjs';
import { installedWith, notePackages, writeNotices } from './lib/notices.mjs';
import { inRoot, requireNode24 } from './lib/project.mjs';

/** Builds everything, then marks the build as complete. */
export async function buildAll(report = console.log) {
  const began = new Date();
  fs.rmSync(builtMark, { force: true });
  const packages = new Set();
  installedWith([...native, 'h5wasm-plugins'], packages);
  for (const part of builds) {
    const started = performance.now();
    // Workers of the pages are bundled on their own.
    const noting = { plugins: [notePackages(packages)], worker: { plugins: () => [notePackages(packages)] } };
    await build(mergeConfig(part.config('production'), noting));
    report(`built out/${part.name} in ${Math.round(performance.now() - started)} ms`);
  }
  writeNotices(packages, inRoot('out'));
  // Imported here: it reads the TypeScript sources of the commands, which the machine's own Node
  // may be too old for.
  const { manPage } = await import('./man-page.mjs');
  fs.writeFileSync(inRoot('out/benchport.1'), manPage(began.toISOString().slice(0, 10)));
  fs.writeFileSync(builtMark, '');
  // Dated to the start of the build, so that a source saved during the build counts as newer.
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
