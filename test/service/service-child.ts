/** A service in a process of its own, so that a test can kill it: data directory, socket, secret as arguments. */
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { startService } from '../../src-main/service/service.ts';

const [dataDir = '', socketPath = '', secret = ''] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '../..');
const config = { dataDir, host: '127.0.0.1', port: 0, baseUrl: null, window: { socketPath, secret } };
const service = await startService({
  ...config,
  rendererDir: path.join(root, 'out/renderer'),
  assetsDir: path.join(root, 'assets'),
  version: '0.0.0-test',
  logLevel: 'silent',
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
// One that is killed would compile everything in vain; the next one need not.
flushCompileCache();
console.log('ready');
