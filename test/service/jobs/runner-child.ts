/** A runner of jobs in a process of its own, so that a test can kill it. Argument: the database. */
import { openRunner } from './runner-of-test.ts';

await openRunner(process.argv[2] ?? '', 'child');
console.log('ready');
