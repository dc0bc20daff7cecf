// npm run -s benchport -- ARGS: runs the command line of this checkout, after a build if there is
// none.
import fs from 'node:fs';
import { buildAll } from './build.mjs';
import { builtMark } from './lib/freshness.mjs';
import { run } from './lib/process.mjs';
import { inRoot, requireNode24 } from './lib/project.mjs';

requireNode24();
if (!fs.existsSync(builtMark)) await buildAll(() => {});
process.exitCode = await run(process.execPath, [inRoot('out/service/cli.js'), ...process.argv.slice(2)]);
