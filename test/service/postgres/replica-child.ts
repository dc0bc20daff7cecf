/** A replica in a process of its own, so that a test can kill or stop it. Argument: the configuration. */
import path from 'node:path';
import { startService } from '../../../src-main/service/service.ts';
import type { ServiceConfig } from '../../../src-main/service/config/config.ts';

const config = JSON.parse(process.argv[2] ?? '') as Partial<ServiceConfig> &
  Pick<ServiceConfig, 'dataDir' | 'database'>;
// An address is a text in the argument.
const { objectStorage } = config;
const root = path.resolve(import.meta.dirname, '../../..');
const service = await startService({
  host: '127.0.0.1',
  port: 0,
  baseUrl: null,
  window: null,
  rendererDir: path.join(root, 'out/renderer'),
  assetsDir: path.join(root, 'assets'),
  version: '0.0.0-test',
  logLevel: 'silent',
  ...config,
  ...(objectStorage && { objectStorage: { ...objectStorage, endpoint: new URL(objectStorage.endpoint) } }),
});
console.log(JSON.stringify({ url: service.url, replicaId: service.services.cluster.replica()?.id }));
