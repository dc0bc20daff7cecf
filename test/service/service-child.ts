/**
 * A service in a separate process, so that a test can kill it. Arguments: data directory, socket,
 * secret, and the address of a PostgreSQL (or nothing).
 */
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { startService } from '../../src-main/service/service.ts';

const [dataDir = '', socketPath = '', secret = '', databaseUrl = ''] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '../..');
const config = { dataDir, host: '127.0.0.1', port: 0, baseUrl: null, window: { socketPath, secret } };
const service = await startService({
  ...config,
  rendererDir: path.join(root, 'out/renderer'),
  assetsDir: path.join(root, 'assets'),
  version: '0.0.0-test',
  logLevel: 'silent',
  database: databaseUrl === '' ? null : { url: databaseUrl, listenUrl: null, connections: 4 },
});
if (!(await service.services.users.byUsername('alice'))) {
  await service.services.users.create({
    username: 'alice',
    name: 'alice',
    email: null,
    passwordHash: null,
    isAdmin: true,
  });
}
// A killed process never writes its compile cache, and every start would compile again.
flushCompileCache();
console.log('ready');
