// Our service without a window and with an object storage. Arguments: data directory, and the settings of
// the storage as JSON.
import path from 'node:path';
import { logLevel } from '../../../src-main/service/logging/logging.ts';
import type { S3Settings } from '../../../src-main/service/object-storage/s3-settings.ts';
import { startService } from '../../../src-main/service/service.ts';

const [dataDir = '', text = ''] = process.argv.slice(2);
const settings = JSON.parse(text) as S3Settings;
const root = path.resolve(import.meta.dirname, '../../..');
const service = await startService({
  dataDir,
  host: '127.0.0.1',
  port: 0,
  baseUrl: null,
  window: null,
  objectStorage: { ...settings, endpoint: new URL(settings.endpoint) },
  rendererDir: path.join(root, 'out/renderer'),
  assetsDir: path.join(root, 'assets'),
  version: '0.0.0-bench',
  logLevel: logLevel({ BENCHPORT_LOG: 'warn' }),
});
process.once('SIGTERM', () => void service.stop(1000).then(() => process.exit(0)));
console.log(JSON.stringify({ port: service.port }));
