import type { FastifyRequest } from 'fastify';

/**
 * The value of a form field; empty when it is missing or repeated, or when the body is not a form.
 */
export function formText(request: FastifyRequest, name: string): string {
  const { body } = request;
  if (typeof body !== 'object' || body === null) return '';
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
