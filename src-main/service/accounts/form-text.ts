import type { FastifyRequest } from 'fastify';

/** A field of a form; one that is doubled or missing, or of a body that is no form at all, is no text. */
export function textOf(request: FastifyRequest, name: string): string {
  const { body } = request;
  if (typeof body !== 'object' || body === null) return '';
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
