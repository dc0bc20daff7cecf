// npm run dev: the desktop application with live sources. Vite's server serves the user interface,
// behind app:// as in a release; a change to any other part rebuilds it and restarts the
// application.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { build, createServer, mergeConfig } from 'vite';
import { findElectron } from './electron.mjs';
import { applicationEnvironment, applicationLine } from './lib/application.mjs';
import { builds, rendererConfig } from './lib/builds.mjs';
import { builtMark } from './lib/freshness.mjs';
import { requireNode24, root } from './lib/project.mjs';

requireNode24();
// This is a development build, so the next "npm start" must build again.
fs.rmSync(builtMark, { force: true });

const { exe } = await findElectron();
const server = await serveRenderer();
const address = `http://127.0.0.1:${server.httpServer.address().port}`;
await watchTheRest();

/**
 * The port is chosen first, because the page must be told the address of the socket for live
 * changes.
 */
async function serveRenderer() {
  const port = await freePort();
  // Everything is served under /ui/, where the service has no paths: src-renderer/api would
  // otherwise be taken for the service's /api.
  const settings = {
    base: '/ui/',
    server: { host: '127.0.0.1', port, strictPort: true, hmr: { protocol: 'ws', host: '127.0.0.1', clientPort: port } },
  };
  const created = await createServer(mergeConfig(rendererConfig('development'), settings));
  return created.listen();
}

async function freePort() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

async function watchTheRest() {
  const names = builds.filter((part) => part.name !== 'renderer').map((part) => part.name);
  const built = new Set();
  for (const part of builds) {
    if (part.name === 'renderer') continue;
    const watcher = await build(mergeConfig(part.config('development'), { build: { watch: {} } }));
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(`dev: ${part.name}: ${event.error.message}`);
      if (event.code !== 'END') return;
      built.add(part.name);
      if (built.size === names.length) restartSoon();
    });
  }
}

let timer;
let application;

/** Debounced, because one change often ends several builds. */
function restartSoon() {
  clearTimeout(timer);
  timer = setTimeout(restart, 200);
}

function restart() {
  const previous = application;
  if (previous && previous.exitCode === null) {
    previous.removeAllListeners('exit');
    previous.once('exit', open);
    previous.kill();
  } else {
    open();
  }
}

function open() {
  const env = { ...applicationEnvironment(), BENCHPORT_DEV_SERVER: address };
  application = spawn(exe, applicationLine(process.argv.slice(2)), { cwd: root, env, stdio: 'inherit' });
  application.once('exit', (code) => process.exit(code ?? 0));
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => (application ? application.kill() : process.exit(0)));
