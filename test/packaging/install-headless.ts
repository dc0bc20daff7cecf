import path from 'node:path';
import { buildAll } from '../../scripts/build.mjs';
import { isBuildStale } from '../../scripts/lib/freshness.mjs';
import { packHeadless } from '../../scripts/package-headless.mjs';
import { mustRun } from '../service/run-program.ts';

/** Packs the headless package and installs it with npm. @returns npm's prefix, below `folder`. */
export async function installHeadless(folder: string): Promise<string> {
  if (isBuildStale()) await buildAll(() => {});
  const prefix = path.join(folder, 'prefix');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await mustRun('npm', ['install', '--global', '--prefix', prefix, ...options, packHeadless(folder)]);
  return prefix;
}
