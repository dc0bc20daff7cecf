import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { isPreviewWorker, previewWorkerPolicy } from '../../../src-shared/preview/worker-policy.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
};
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'";

/** Sends a file of the built user interface, or its page for the address of a screen. */
export async function sendRendererFile(response: ServerResponse, rendererDir: string, pathname: string): Promise<void> {
  const file = pathname.startsWith('/assets/')
    ? path.join(rendererDir, path.normalize(pathname))
    : path.join(rendererDir, 'index.html');
  try {
    const content = await readFile(file);
    response.writeHead(200, {
      'content-type': types[path.extname(file)] ?? 'application/octet-stream',
      'content-security-policy': isPreviewWorker(pathname) ? previewWorkerPolicy : policy,
    });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
}
