import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sets the pagination headers of GitLab's API for one page of a list: Link, X-Total, X-Total-Pages, X-Page, X-Per-Page, X-Next-Page, X-Prev-Page. */
export function setPageHeaders(request: FastifyRequest, reply: FastifyReply, baseUrl: string, page: number, perPage: number, total: number): void {
  const pages = Math.max(1, Math.ceil(total / perPage));
  const next = page < pages ? page + 1 : null;
  const previous = page > 1 ? Math.min(page - 1, pages) : null;
  // Absolute links are made of the base URL and the request's target, never of its Host header.
  const link = (to: number, relation: string) => {
    const url = new URL(request.url, 'http://localhost');
    url.searchParams.delete('access_token');
    url.searchParams.set('page', String(to));
    url.searchParams.set('per_page', String(perPage));
    return `<${baseUrl}${url.pathname}${url.search}>; rel="${relation}"`;
  };
  const links = [link(1, 'first'), link(pages, 'last')];
  if (previous !== null) links.unshift(link(previous, 'prev'));
  if (next !== null) links.unshift(link(next, 'next'));
  reply.headers({
    link: links.join(', '),
    'x-total': String(total),
    'x-total-pages': String(pages),
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': next === null ? '' : String(next),
    'x-prev-page': previous === null ? '' : String(previous),
  });
}
