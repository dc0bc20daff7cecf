import type { FastifyRequest } from 'fastify';

/**
 * Sentry's Link header: a page that does not exist has `results="false"`. Only the next page can be
 * requested.
 */
export function listLink(request: FastifyRequest, baseUrl: string, next: string | null): string {
  const url = new URL(request.url, 'http://localhost');
  const link = (relation: string, cursor: string | null) => {
    url.searchParams.set('cursor', cursor ?? '');
    return `<${baseUrl}${url.pathname}${url.search}>; rel="${relation}"; results="${cursor === null ? 'false' : 'true'}"; cursor="${cursor ?? ''}"`;
  };
  return `${link('previous', null)}, ${link('next', next)}`;
}
