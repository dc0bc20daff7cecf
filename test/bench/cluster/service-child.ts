// Our service without a window, on SQLite or PostgreSQL. Arguments: data directory, and the address of
// a PostgreSQL database or nothing.
import { logLevel } from '../../../src-main/service/logging/logging.ts';
import { startFromSources } from '../../service/start-from-sources.ts';

const [dataDir = '', url] = process.argv.slice(2);
const service = await startFromSources({
  dataDir,
  database: url === undefined ? null : { url, listenUrl: null, connections: 10 },
  logLevel: logLevel({ BENCHPORT_LOG: 'warn' }),
  ingestLimits: { keyBurst: 1e9, burst: 1e9, keyBytesBurst: 1e12 },
});
process.once('SIGTERM', () => void service.stop(1000).then(() => process.exit(0)));
console.log(JSON.stringify({ port: service.port }));
