import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import fs from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { tlsMaterial } from '../../../src-main/service/http/server/tls-material.ts';

/** A folder of a web server with updates, as docs/release.md describes it. */
export interface UpdateFeedServer {
  readonly url: string;
  /** Base64 of the public key that verifies the updates. */
  readonly key: string;
  /**
   * Offers a version for Linux: a package and its metadata, signed with the right key or with
   * another one.
   */
  offer(version: string, content: string, signedBy: 'us' | 'others'): void;
  /** Whether packages end midway while the connection stays open. */
  holdsBack: boolean;
  /** Requested paths. */
  readonly asked: string[];
  close(): void;
}

/** Serves updates over https with a self-signed certificate. */
export async function serveUpdates(folder: string): Promise<UpdateFeedServer> {
  const keys = { us: generateKeyPairSync('ed25519'), others: generateKeyPairSync('ed25519') };
  const files = new Map<string, string>();
  const asked: string[] = [];
  const tls = path.join(folder, 'tls');
  await fs.mkdir(tls);
  const server = https.createServer(await tlsMaterial({ kind: 'self-signed' }, tls), (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://feed');
    asked.push(pathname);
    const body = files.get(pathname);
    if (body !== undefined && feed.holdsBack && pathname.endsWith('.AppImage')) {
      response.writeHead(200, { 'content-length': body.length });
      response.write(body.slice(0, body.length / 2));
    } else response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const feed: UpdateFeedServer = {
    holdsBack: false,
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/benchport`,
    key: keys.us.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    asked,
    offer: (version, content, signedBy) => {
      const name = `benchport-${version}-linux-x64.AppImage`;
      const sha512 = createHash('sha512').update(content).digest('base64');
      const text = `version: ${version}\nfiles:\n  - url: ${name}\n    sha512: ${sha512}\n    size: ${content.length}\npath: ${name}\nsha512: ${sha512}\nreleaseDate: '2026-11-22T00:00:00.000Z'\n`;
      files.set(`/benchport/${name}`, content);
      files.set('/benchport/latest-linux.yml', text);
      const date = new Date().toISOString().slice(0, 10);
      const signed = Buffer.from(`benchport-feed\nlatest-linux.yml\n${date}\n${text}`);
      files.set(
        '/benchport/latest-linux.yml.sig',
        `${date} ${sign(null, signed, keys[signedBy].privateKey).toString('base64')}\n`,
      );
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return feed;
}
