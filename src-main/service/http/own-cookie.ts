import type { FastifyRequest } from 'fastify';

/** A cookie of this service: its name and the attributes that it is set and cleared with. */
export interface OwnCookie {
  readonly name: string;
  readonly attributes: {
    readonly path: '/';
    readonly httpOnly: true;
    readonly sameSite: 'lax';
    readonly secure: boolean;
  };
}

/**
 * The name and attributes of a cookie for the browser that sent a request. Under HTTPS the name has
 * the prefix `__Host-`, which a browser accepts only over HTTPS, from this host, for all paths: no
 * other host of the domain can set it (RFC 6265bis). A cookie without the prefix is ignored there.
 * HTTPS is recognised by the base URL (a proxy speaks TLS for this service), by the header of a
 * trusted proxy, or by the listener that received the request. The listener for the local network
 * may speak TLS while the base URL is the loopback's, but never the reverse.
 */
export function ownCookie(plainName: string, request: FastifyRequest, baseUrl: string): OwnCookie {
  const secure = request.protocol === 'https' || baseUrl.startsWith('https:');
  return {
    name: secure ? `__Host-${plainName}` : plainName,
    attributes: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  };
}
