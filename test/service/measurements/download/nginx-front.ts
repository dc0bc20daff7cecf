import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import https from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { makeSelfSigned } from '../../../../src-main/service/http/server/self-signed.ts';
import { freePort } from '../../../free-port.ts';

const guide = path.resolve(import.meta.dirname, '../../../../docs/administrator-guide.md');

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly raw: readonly string[];
  readonly body: Buffer;
}

export interface Front {
  readonly port: number;
  ask(at: string, headers?: Record<string, string>, method?: string): Promise<Answer>;
  end(): Promise<void>;
}

/**
 * nginx as the administrator's guide sets it up, with what has to differ in a test: port, certificate, addresses and folder.
 *
 * @param change makes a configuration of another administrator of it.
 */
export async function startFront(
  dir: string,
  servicePort: number,
  folder: string,
  change = (text: string): string => text,
): Promise<Front> {
  const page = await readFile(guide, 'utf8');
  const blocks = [...page.matchAll(/^( *)```\n(.*?)\n *```$/gms)].map(([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
  const server = blocks.find((text) => /^server \{/m.test(text));
  const location = blocks.find((text) => text.startsWith('location /benchport-files/'));
  if (!server || !location) throw new Error('the guide has no such blocks');
  const port = await freePort();
  const own = path.join(dir, 'front');
  await mkdir(own);
  const { cert, key } = await makeSelfSigned(['bench.lab.example'], Date.now());
  await writeFile(path.join(own, 'cert.pem'), cert);
  await writeFile(path.join(own, 'key.pem'), key);
  const replaced = [
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['/etc/ssl/bench.pem', `${own}/cert.pem`],
    ['/etc/ssl/private/bench.key', `${own}/key.pem`],
    ['http://127.0.0.1:7420', `http://127.0.0.1:${servicePort}`],
    ['alias /srv/measurements/;', `alias ${folder}/;`],
    ['from=/srv/measurements;', `from=${folder};`],
  ] as const;
  let text = server.replace(/\}$/, `${location}\n}`);
  for (const [from, to] of replaced) {
    if (!text.includes(from)) throw new Error(`the guide does not say ${from}`);
    text = text.replaceAll(from, to);
  }
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${own}/${name};`)
    .join(' ');
  // Default of Debian's nginx.conf: compression is on.
  const http = `access_log off; sendfile on; gzip on; gzip_types *; include /etc/nginx/mime.types; default_type application/octet-stream; ${temporary}`;
  await writeFile(
    path.join(own, 'nginx.conf'),
    `${user} daemon off; pid ${own}/pid; error_log ${own}/error.log info; events { worker_connections 8192; } http { ${http}\n${change(text)}\n}`,
  );
  const child = spawn('nginx', ['-p', own, '-c', path.join(own, 'nginx.conf'), '-e', path.join(own, 'error.log')], {
    stdio: 'ignore',
  });
  const over = new Promise((resolve) => child.once('exit', resolve));

  const agent = new https.Agent({
    keepAlive: true,
    ca: cert,
    servername: 'bench.lab.example',
    checkServerIdentity: () => undefined,
  });
  const ask: Front['ask'] = (at, headers = {}, method = 'GET') =>
    new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        path: at,
        method,
        agent,
        headers: { host: 'bench.lab.example', ...headers },
      };
      https
        .request(options, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.once('error', reject);
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              raw: response.rawHeaders,
              body: Buffer.concat(parts),
            }),
          );
        })
        .once('error', reject)
        .end();
    });
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`nginx ended with ${child.exitCode}: ${await readFile(path.join(own, 'error.log'), 'utf8')}`);
    if ((await ask('/-/health').catch(() => null))?.status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    port,
    ask,
    end: async () => {
      agent.destroy();
      child.kill();
      await over;
    },
  };
}
