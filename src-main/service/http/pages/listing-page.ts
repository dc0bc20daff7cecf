import { html } from './page-html.ts';

/** The beginning of a plain page with a list of links, up to its first entry. */
export function listingStart(title: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
      <body>
        <h1>${title}</h1>
        <ul>`.text;
}
