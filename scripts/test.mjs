// npm test: runs all checks of an installed checkout and ends with one line of counts.
import fs from 'node:fs';
import path from 'node:path';
import { buildAll } from './build.mjs';
import { checkMachine } from './check-machine.mjs';
import { findElectron } from './electron.mjs';
import { withUtf8 } from './lib/locale.mjs';
import { npmCommand, run } from './lib/process.mjs';
import { inRoot, isRoot, requireNode24, root } from './lib/project.mjs';
import { makeQuickFolder } from './lib/quick-folder.mjs';
import { readPlaywright, readVitest } from './lib/reports.mjs';
import { startXvfb } from './lib/xvfb.mjs';

requireNode24();
Object.assign(process.env, withUtf8(process.env));
const results = inRoot('test-results');
const quick = makeQuickFolder();
if (quick !== undefined) process.env.TMPDIR = quick;
// Hundreds of processes and threads start the same programs: code that one has compiled or stripped
// of types is read from the cache by the others.
process.env.NODE_COMPILE_CACHE = path.join(quick ?? results, 'compiled');
const total = { passed: 0, failed: 0 };
const broken = [];
const needed = [];
const leftOut = [];
/**
 * If at most this many files fail, they are run again; more failures are not caused by a busy
 * machine.
 */
const lookedAtAgain = 8;
const bin = (name) => inRoot('node_modules/.bin', name);

try {
  await everything();
} catch (error) {
  console.error(error);
  total.failed += 1;
} finally {
  if (quick !== undefined) fs.rmSync(quick, { recursive: true, force: true });
}
tell('passed only when looked at alone', needed);
tell(
  'left out: they need root, or what this machine has not',
  leftOut.map((one) => ({ ...one, why: '' })),
);
tell('failed', broken);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed`);

async function everything() {
  fs.rmSync(results, { recursive: true, force: true });
  fs.mkdirSync(results, { recursive: true });
  await step('lockfile', lockfileHolds);
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

/**
 * `npm ci` refuses a lockfile that lacks packages of another platform, which `npm install` omits
 * silently.
 */
function lockfileHolds() {
  const [command, ...args] = npmCommand();
  return succeeds(command, [...args, 'ci', '--dry-run', '--ignore-scripts', '--prefer-offline', '--loglevel=error']);
}

/** One check that passes or fails; it counts as one test. */
async function step(name, act) {
  heading(name);
  let holds = false;
  try {
    holds = await act();
  } catch (error) {
    console.error(error);
  }
  if (!holds) broken.push({ file: '', name: `${name}: failed`, why: '' });
  total[holds ? 'passed' : 'failed'] += 1;
  return holds;
}

async function unitTests() {
  const vitest = async (report, args) => {
    const unhandled = report.replace('.json', '-unhandled.json');
    const reporters = ['default', 'json', inRoot('scripts/lib/unhandled-errors.mjs')].map((one) => `--reporter=${one}`);
    const env = { ...process.env, BENCHPORT_UNHANDLED: unhandled };
    const code = await run(bin('vitest'), ['run', ...reporters, `--outputFile.json=${report}`, ...args], {
      cwd: root,
      env,
    });
    return { code, counts: readVitest(report, unhandled) };
  };
  await suite('unit and service tests', (more) =>
    vitest(`${results}/vitest${more ? '-alone' : ''}.json`, more ? ['--maxWorkers=1', ...more] : []),
  );
}

async function endToEndTests(electron) {
  const xvfb = await startXvfb();
  const env = { ...process.env, DISPLAY: xvfb.display, WAYLAND_DISPLAY: '', BENCHPORT_ELECTRON: electron };
  const playwright = async (more) => {
    const code = await run(
      bin('playwright'),
      ['test', ...(more ? ['--last-failed', '--workers=1', '--trace=retain-on-failure'] : [])],
      { cwd: root, env },
    );
    return { code, counts: readPlaywright(`${results}/playwright.json`) };
  };
  try {
    await suite('browser and window tests', playwright);
  } finally {
    xvfb.stop();
  }
}

/**
 * Runs a suite and, if few files failed, runs those once more with nothing beside them: a busy
 * machine must not hide whether the product works. Files that needed the second run are listed at
 * the end.
 * @param look runs everything, or the given files, and resolves to status and counts
 */
async function suite(name, look) {
  heading(name);
  const first = await look();
  const files = [...new Set((first.counts?.failures ?? []).map((one) => one.file))];
  if (files.length === 0 || files.length > lookedAtAgain || files.includes('')) return add(name, first);
  heading(`${name}: what failed, once more and alone`);
  const second = await look(files);
  if (second.counts === undefined) return add(name, first);
  const still = new Set(second.counts.failures.map((one) => `${one.file} ${one.name}`));
  const { passed, failed, skipped, failures } = first.counts;
  needed.push(...failures.filter((one) => !still.has(`${one.file} ${one.name}`)));
  const better = Math.max(0, failed - second.counts.failed);
  add(name, {
    code: second.code,
    counts: { passed: passed + better, failed: failed - better, skipped, failures: second.counts.failures },
  });
}

/**
 * Adds a runner's counts. A runner that failed without reporting a failure, or ran nothing, counts
 * as failed. So do skipped tests, except for an ordinary user on a workstation, who can neither
 * mount disks nor create files of other users: there they are listed by name.
 */
function add(name, { code, counts }) {
  const { passed, failed, skipped, failures } = counts ?? { passed: 0, failed: 0, skipped: [], failures: [] };
  const silent = failed === 0 && (code !== 0 || passed === 0);
  if (silent) failures.push({ file: '', name: `${name} ended with status ${code} after ${passed} passed`, why: '' });
  const excused = !isRoot && !process.env.CI;
  (excused ? leftOut : broken).push(...skipped);
  broken.push(...failures);
  total.passed += passed;
  total.failed += failed + (excused ? 0 : skipped.length) + (silent ? 1 : 0);
}

function tell(title, failures) {
  if (failures.length > 0) heading(title);
  for (const { file, name, why } of failures)
    console.log([`${file.replace(`${root}/`, '')} ${name}`.trim(), ...(why ? [`    ${why}`] : [])].join('\n'));
}

async function succeeds(command, args = []) {
  return (await run(command, args, { cwd: root })) === 0;
}

function heading(name) {
  console.log(`\n== ${name}`);
}
