import fastifyStatic from '@fastify/static';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isPreviewWorker, previewWorkerPolicy } from '../../../../src-shared/preview/worker-policy.ts';
import type { App } from '../app.ts';
import { html } from './page-html.ts';
import { panel, sendPage } from './page-layout.ts';

const year = 365 * 24 * 3600_000;
const method = ['GET', 'HEAD'];

/**
 * Serves the user interface to browsers. Every address of its own is below /ui/ and gets the one
 * page; the files of the build have a hash in their names and never change.
 */
export async function registerRendererFiles(app: App, rendererDir: string, assetsDir: string): Promise<void> {
  // The build puts packed forms beside large files.
  await app.register(fastifyStatic, { root: rendererDir, serve: false, suppressWarning: true, preCompressed: true });

  const hide = { schema: { hide: true } };
  app.route({ method, url: '/', ...hide, handler: async (_request, reply) => reply.redirect('/ui/', 302) });
  // An address that older instructions name.
  app.route({
    method,
    url: '/setup',
    ...hide,
    handler: async (request, reply) => reply.redirect(`/ui/setup${queryOf(request.url)}`, 302),
  });
  app.route<{ Params: { '*': string } }>({
    method,
    url: '/assets/*',
    ...hide,
    handler: async (request, reply) => {
      const name = request.params['*'];
      if (isPreviewWorker(name)) reply.header('content-security-policy', previewWorkerPolicy);
      return reply.sendFile(`assets/${name}`, { maxAge: year, immutable: true });
    },
  });
  app.route({
    method,
    url: '/mark.svg',
    ...hide,
    handler: async (_request, reply) => reply.sendFile('mark.svg', assetsDir, { maxAge: 0 }),
  });
  for (const url of ['/ui', '/ui/*']) {
    app.route({
      method,
      url,
      ...hide,
      handler: async (_request, reply) => {
        if (!existsSync(path.join(rendererDir, 'index.html')))
          return sendPage(reply, 503, 'Not built', panel('The screens are not built', notBuilt));
        return reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
      },
    });
  }
}

const notBuilt = html`<p>The service runs, and its interface answers. To see the screens, run this in the checkout and load the page again:</p>
  <p><code>npm run build</code></p>
  <p><a href="/api/docs">The HTTP interface</a></p>`;

function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark);
}
