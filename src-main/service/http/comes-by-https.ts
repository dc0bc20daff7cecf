import type { FastifyRequest } from 'fastify';

/**
 * Whether a browser sent a request over HTTPS: by the base URL, where a proxy speaks TLS for this service, by the word of a trusted proxy, or by the door
 * it came through. The door for the local network may speak TLS while the base URL is the loopback's, and the other way round never.
 */
export function comesByHttps(request: FastifyRequest, baseUrl: string): boolean {
  return request.protocol === 'https' || baseUrl.startsWith('https:');
}
