// npm test: everything, from a checkout with its packages installed to one line of counts.
import fs from 'node:fs';
import { buildAll } from './build.mjs';
import { checkMachine } from './check-machine.mjs';
import { findElectron } from './electron.mjs';
import { withUtf8 } from './lib/locale.mjs';
import { run } from './lib/process.mjs';
import { inRoot, requireNode24, root } from './lib/project.mjs';
import { makeQuickFolder } from './lib/quick-folder.mjs';
import { readPlaywright, readVitest } from './lib/reports.mjs';
import { startXvfb } from './lib/xvfb.mjs';

requireNode24();
Object.assign(process.env, withUtf8(process.env));
const results = inRoot('test-results');
const quick = makeQuickFolder();
if (quick !== undefined) process.env.TMPDIR = quick;
const total = { passed: 0, failed: 0 };
const bin = (name) => inRoot('node_modules/.bin', name);

try {
  await everything();
} catch (error) {
  console.error(error);
  total.failed += 1;
} finally {
  if (quick !== undefined) fs.rmSync(quick, { recursive: true, force: true });
}
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed`);

async function everything() {
  fs.rmSync(results, { recursive: true, force: true });
  fs.mkdirSync(results, { recursive: true });
  if (!(await step('machine', () => checkMachine()))) return;
  let electron;
  await step('electron', async () => {
    electron = (await findElectron()).exe;
    return true;
  });
  const built = await step('build', async () => {
    await buildAll();
    return true;
  });
  await step('types', () => succeeds(process.execPath, [inRoot('scripts/typecheck.mjs')]));
  await step('lint', () => succeeds(bin('oxlint'), ['--type-aware', '--deny-warnings']));
  await step('format', () => succeeds(bin('oxfmt'), ['--check']));
  await step('unused code', () => succeeds(bin('knip')));
  if (!built) return;
  await unitTests();
  if (electron) await endToEndTests(electron);
}

/** One thing that either holds or does not; it counts as one. */
async function step(name, act) {
  heading(name);
  let holds = false;
  try {
    holds = await act();
  } catch (error) {
    console.error(error);
  }
  if (!holds) console.log(`${name}: failed`);
  total[holds ? 'passed' : 'failed'] += 1;
  return holds;
}

async function unitTests() {
  heading('unit and service tests');
  const report = `${results}/vitest.json`;
  const code = await run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], { cwd: root });
  add('unit and service tests', code, readVitest(report));
}

async function endToEndTests(electron) {
  heading('browser and window tests');
  const xvfb = await startXvfb();
  try {
    const env = { ...process.env, DISPLAY: xvfb.display, WAYLAND_DISPLAY: '', BENCHPORT_ELECTRON: electron };
    const code = await run(bin('playwright'), ['test'], { cwd: root, env });
    add('browser and window tests', code, readPlaywright(`${results}/playwright.json`));
  } finally {
    xvfb.stop();
  }
}

/** Adds a runner's counts. One that ended badly without saying why, ran nothing, or skipped something has failed. */
function add(name, code, counts) {
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const silent = failed === 0 && (code !== 0 || passed === 0);
  if (silent) console.log(`${name}: ended with status ${code} after ${passed} passed`);
  if (skipped > 0) console.log(`${name}: ${skipped} skipped, which counts as failed`);
  total.passed += passed;
  total.failed += failed + skipped + (silent ? 1 : 0);
}

async function succeeds(command, args = []) {
  return (await run(command, args, { cwd: root })) === 0;
}

function heading(name) {
  console.log(`\n== ${name}`);
}
