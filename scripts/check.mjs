// npm run check: a quick look before a commit. Types of all parts; lint, format and unit tests of what differs from main.
// npm run check -- COMMIT: of what differs from that commit. `npm test` stays the gate: it runs everything.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { run } from './lib/process.mjs';
import { inRoot, requireNode24, root } from './lib/project.mjs';

requireNode24();
/** Tests that read the sources as a whole: folders and imports, and what the pages name. */
const structure = ['test/rooms.test.ts', 'test/boundaries.test.ts', 'test/docs/guides.test.ts'];
/** Parts and their tests; a folder of a part has the folder of the same name there, or is tested by the one above. */
const parts = { 'src-main': 'test', 'src-renderer': 'test/renderer', 'src-shared': 'test/shared' };
/** Too many tests for a quick look. */
const tooWide = ['test', 'test/service'];
/** Files that the tool is told to ignore are no failure. */
const unmatched = ['--no-error-on-unmatched-pattern'];
const bin = (name) => inRoot('node_modules/.bin', name);

const began = performance.now();
const changed = changedFiles(process.argv[2] ?? forkPoint());
const code = changed.filter((file) => /\.(?:[mc]?js|tsx?)$/.test(file));
// No tsconfig has the scripts: one alone would be linted without the types of what it imports.
if (code.some((file) => file.startsWith('scripts/'))) code.push('scripts');
const failed = [];
await step('types', process.execPath, [inRoot('scripts/typecheck.mjs')]);
if (code.length > 0) await step('lint', bin('oxlint'), ['--type-aware', '--deny-warnings', ...unmatched, ...code]);
if (changed.length > 0) await step('format', bin('oxfmt'), ['--check', ...unmatched, ...changed]);
await step('tests', bin('vitest'), ['run', ...testsOf(changed)]);
const seconds = Math.round((performance.now() - began) / 1000);
const verdict = failed.length > 0 ? `failed: ${failed.join(', ')}` : 'passed';
console.log(`\ncheck: ${changed.length} changed files, ${verdict}, ${seconds} s`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function step(name, command, args) {
  console.log(`\n== ${name}`);
  if ((await run(command, args, { cwd: root })) !== 0) failed.push(name);
}

/** Where this branch left main; on main itself, and without one, the last commit. */
function forkPoint() {
  const bases = ['main', 'origin/main'].map((name) => git(['merge-base', 'HEAD', name])[0]);
  return bases.find((base) => base !== undefined) ?? 'HEAD';
}

/** Files that differ from a commit and still exist, those that git does not know yet among them. */
function changedFiles(base) {
  if (git(['rev-parse', '--verify', `${base}^{commit}`]).length === 0) {
    console.error(`check: git knows no commit ${base}`);
    process.exit(2);
  }
  const known = git(['diff', '--name-only', '--diff-filter=d', base, '--']);
  return [...new Set([...known, ...git(['ls-files', '--others', '--exclude-standard'])])];
}

/** @returns the lines of the output; none when git fails. */
function git(args) {
  const { stdout, status } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}

/** Changed tests, tests of the folders of changed sources, and the structure. */
function testsOf(files) {
  const folders = files.map(testFolder).filter((folder) => folder !== undefined);
  return [...new Set([...structure, ...files.filter((file) => file.endsWith('.test.ts')), ...folders])];
}

function testFolder(file) {
  const part = Object.keys(parts).find((name) => file.startsWith(`${name}/`));
  if (part === undefined) return undefined;
  let folder = path.posix.join(parts[part], path.posix.dirname(path.posix.relative(part, file)));
  while (!fs.existsSync(inRoot(folder))) folder = path.posix.dirname(folder);
  return tooWide.includes(folder) ? undefined : `${folder}/`;
}
