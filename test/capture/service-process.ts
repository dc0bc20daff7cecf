/**
 * A service in a separate process that looks at watched folders more often than in use, so that a
 * test can kill it. Arguments: data directory, socket, secret, milliseconds between looks.
 */
import path from 'node:path';
import { startService } from '../../src-main/service/service.ts';

const [dataDir = '', socketPath = '', secret = '', lookEveryMs = ''] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '../..');
const service = await startService({
  dataDir,
  host: '127.0.0.1',
  port: 0,
  baseUrl: null,
  window: { socketPath, secret },
  rendererDir: path.join(root, 'out/renderer'),
  assetsDir: path.join(root, 'assets'),
  version: '0.0.0-test',
  logLevel: 'warn',
  database: null,
  lookEveryMs: Number(lookEveryMs),
});
if (!(await service.services.users.byUsername('alice')))
  await service.services.users.create({
    username: 'alice',
    name: 'alice',
    email: null,
    passwordHash: null,
    isAdmin: true,
  });
console.log('ready');
