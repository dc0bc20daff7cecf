// npm run test:postgres: the tests of the service with PostgreSQL behind it, also of rooms that
// npm test runs on SQLite alone.
import { run } from './lib/process.mjs';
import { inRoot, requireNode24 } from './lib/project.mjs';

requireNode24();
process.env.BENCHPORT_TEST_ON_POSTGRES = 'all';
const projects = ['postgres', 'facility'].map((name) => `--project=${name}`);
process.exitCode = await run(inRoot('node_modules/.bin/vitest'), ['run', ...projects, ...process.argv.slice(2)]);
