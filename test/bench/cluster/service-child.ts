// Our service without a window, on SQLite or PostgreSQL. Arguments: data directory, and the address of
// a PostgreSQL database or nothing.
import path from 'node:path';
import { logLevel } from '../../../src-main/service/logging/logging.ts';
import { startService } from '../../../src-main/service/service.ts';

const [dataDir = '', url] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '../../..');
const service = await startService({
  dataDir,
  host: '127.0.0.1',
  port: 0,
  baseUrl: null,
  window: null,
  database: url === undefined ? null : { url, listenUrl: null, connections: 10 },
  rendererDir: path.join(root, 'out/renderer'),
  assetsDir: path.join(root, 'assets'),
  version: '0.0.0-bench',
  logLevel: logLevel({ BENCHPORT_LOG: 'warn' }),
  ingestLimits: { keyBurst: 1e9, burst: 1e9, keyBytesBurst: 1e12 },
});
process.once('SIGTERM', () => void service.stop(1000).then(() => process.exit(0)));
console.log(JSON.stringify({ port: service.port }));
