import type { FastifyReply } from 'fastify';
import { html, type Html } from './page-html.ts';

const mark = html`<svg class="mark" viewBox="0 0 32 32" fill="none" aria-hidden="true">
  <rect x="3" y="3" width="26" height="26" rx="7" stroke="currentColor" stroke-width="3" />
  <rect x="9" y="16.5" width="14" height="5" rx="2.5" fill="currentColor" />
  <circle cx="16" cy="11" r="2" fill="currentColor" />
</svg>`;

/** Sends a page that the service renders itself: no scripts, one stylesheet, never stored. */
export function sendPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} - Benchport</title>
        <link rel="icon" type="image/svg+xml" href="/mark.svg" />
        <link rel="stylesheet" href="/-/pages.css" />
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page.text);
}

/** A centred panel with the mark, for a form or a message. */
export function panel(heading: string, content: Html): Html {
  return html`<main class="centred">
    <div class="panel">
      ${mark}
      <h1>${heading}</h1>
      ${content}
    </div>
  </main>`;
}
