import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../free-port.ts';
import { endChild } from './node-peer.ts';
import { processTools, type Server } from './server.ts';

/**
 * nginx as it should be set up to serve files: one worker, sendfile, cached open files, no access
 * log. `tcp_nopush` stays off, because with it ranges on kept connections stall and nginx would
 * look a hundred times slower.
 */
function configuration(prefix: string, root: string, port: number, copyingPort: number): string {
  // Without root nginx keeps its user; as root it would switch to "nobody", who cannot read the
  // fixture.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${prefix}/temp;`)
    .join('\n');
  return `${user}
worker_processes 1;
daemon off;
pid ${prefix}/nginx.pid;
error_log ${prefix}/error.log;
events { worker_connections 1024; }
http {
${temporary}
  default_type application/octet-stream;
  access_log off;
  sendfile on;
  tcp_nopush off;
  tcp_nodelay on;
  open_file_cache max=4096 inactive=60s;
  open_file_cache_valid 60s;
  keepalive_requests 10000000;
  server {
    listen 127.0.0.1:${port};
    root ${root};
    # The manifest, which lies in the folder of its files; a redirect to the folder would be an answer that no server of the interface gives.
    location ~ ^/measurements/[^/]+/files$ { try_files $uri/index.html =404; }
  }
  server {
    listen 127.0.0.1:${copyingPort};
    root ${root};
    sendfile off;
  }
}
`;
}

export interface Nginx extends Server {
  /**
   * The same process with `sendfile off`, at another port: shows the cost of copying bytes through
   * user space.
   */
  readonly copying: Server;
}

/**
 * Starts nginx over a folder, independently of the machine's configuration. @param niceness its
 * priority, as for `nice -n`.
 */
export async function startNginx(workDir: string, root: string, niceness = 0): Promise<Nginx> {
  const prefix = path.join(workDir, 'nginx');
  mkdirSync(path.join(prefix, 'temp'), { recursive: true });
  const port = await freePort();
  const copyingPort = await freePort();
  const config = path.join(prefix, 'nginx.conf');
  writeFileSync(config, configuration(prefix, root, port, copyingPort));
  const child = spawn(
    'nice',
    ['-n', String(niceness), 'nginx', '-p', prefix, '-c', config, '-e', path.join(prefix, 'error.log')],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  for (let attempt = 0; !(await answers(port)); attempt += 1) {
    if (child.exitCode !== null || attempt > 100) throw new Error('nginx did not start');
    await wait(50);
  }
  const server: Server = { name: 'nginx', port, ...processTools(child.pid ?? 0), stop: () => endChild(child) };
  return { ...server, copying: { ...server, name: 'nginx, sendfile off', port: copyingPort } };
}

export function nginxVersion(): string {
  return execFileSync('sh', ['-c', 'nginx -v 2>&1'], { encoding: 'utf8' })
    .trim()
    .replace('nginx version: ', '')
    .replace('/', ' ');
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
