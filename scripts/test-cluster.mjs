// npm run test:cluster: kills replicas and primaries ten times as often as npm test does.
import { run } from './lib/process.mjs';
import { inRoot, requireNode24 } from './lib/project.mjs';

requireNode24();
process.env.BENCHPORT_TEST_CLUSTER = 'thorough';
process.exitCode = await run(inRoot('node_modules/.bin/vitest'), ['run', 'test/cluster', '--project', 'together']);
