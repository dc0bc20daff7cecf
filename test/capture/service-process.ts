/**
 * A service in a separate process that looks at watched folders more often than in use, so that a
 * test can kill it. Arguments: data directory, socket, secret, milliseconds between looks.
 */
import { ensureAlice, startFromSources } from '../service/start-from-sources.ts';

const [dataDir = '', socketPath = '', secret = '', lookEveryMs = ''] = process.argv.slice(2);
const service = await startFromSources({
  dataDir,
  window: { socketPath, secret },
  logLevel: 'warn',
  lookEveryMs: Number(lookEveryMs),
});
await ensureAlice(service);
console.log('ready');
