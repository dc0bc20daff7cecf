// npm run typecheck: checks every part with its own tsconfig, then the desktop parts again with the
// declarations of the development runtime, whose Electron is older than the shipped one.
import fs from 'node:fs';
import { developmentRuntime, isPrepared } from './lib/development-runtime.mjs';
import { run } from './lib/process.mjs';
import { inRoot, requireNode24, root } from './lib/project.mjs';

requireNode24();
const projects = [
  'src-main/shell',
  'src-main/service',
  'src-main/service/contract',
  'src-preload',
  'src-renderer',
  'src-shared',
  'test',
];
const runtime = developmentRuntime();

let failed = false;
for (const project of projects) failed = (await check(project)) || failed;
if (runtime && isPrepared(runtime)) failed = (await check(describeOlderCheck(runtime.types))) || failed;
if (!failed)
  console.log(
    `typecheck: ${projects.length} projects${runtime && isPrepared(runtime) ? ', the desktop also against the development runtime' : ''}`,
  );
process.exitCode = failed ? 1 : 0;

async function check(project) {
  return (await run(inRoot('node_modules/.bin/tsc'), ['-p', project], { cwd: root })) !== 0;
}

/**
 * Writes a tsconfig that uses the older declarations.
 * @returns its path.
 */
function describeOlderCheck(types) {
  const file = inRoot('out/typecheck/tsconfig.json');
  const config = {
    extends: inRoot('src-main/shell/tsconfig.json'),
    compilerOptions: { paths: { electron: [types] }, typeRoots: [inRoot('node_modules/@types')] },
    include: [inRoot('src-main/shell/**/*.ts'), inRoot('src-main/main.ts'), inRoot('src-preload/**/*.ts')],
  };
  fs.mkdirSync(inRoot('out/typecheck'), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}
