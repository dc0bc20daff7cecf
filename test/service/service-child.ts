/**
 * A service in a separate process, so that a test can kill it. Arguments: data directory, socket,
 * secret, and the address of a PostgreSQL (or nothing).
 */
import { flushCompileCache } from 'node:module';
import { ensureAlice, startFromSources } from './start-from-sources.ts';

const [dataDir = '', socketPath = '', secret = '', databaseUrl = ''] = process.argv.slice(2);
const service = await startFromSources({
  dataDir,
  window: { socketPath, secret },
  database: databaseUrl === '' ? null : { url: databaseUrl, listenUrl: null, connections: 4 },
});
await ensureAlice(service);
// A killed process never writes its compile cache, and every start would compile again.
flushCompileCache();
console.log('ready');
