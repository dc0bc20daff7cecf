import { createHash } from 'node:crypto';
import type { App } from '../app.ts';
import { pageStyle } from './page-style.ts';

/**
 * Serves the stylesheet of the service's own pages as a file, because the content security policy
 * forbids inline styles.
 */
export function registerPages(app: App): void {
  const tag = `"${createHash('sha256').update(pageStyle).digest('hex').slice(0, 32)}"`;
  app.get('/-/pages.css', { schema: { hide: true } }, async (request, reply) => {
    reply.headers({ etag: tag, 'cache-control': 'no-cache' }).type('text/css; charset=utf-8');
    return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(pageStyle);
  });
}
