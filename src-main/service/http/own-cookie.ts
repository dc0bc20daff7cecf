import type { FastifyRequest } from 'fastify';

/** A cookie of ours: its name, and what it is set and cleared with. */
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
 * How a cookie is called and set for the browser that a request came from. Under HTTPS with the `__Host-` prefix, which a browser takes only over HTTPS,
 * from this host, for all paths: no other host of the domain can set it (RFC 6265bis). Without the prefix it counts for nothing there.
 *
 * HTTPS is known by the base URL, where a proxy speaks TLS for this service, by the word of a trusted proxy, or by the door that the request came
 * through. The door for the local network may speak TLS while the base URL is the loopback's, and the other way round never.
 */
export function ownCookie(plainName: string, request: FastifyRequest, baseUrl: string): OwnCookie {
  const secure = request.protocol === 'https' || baseUrl.startsWith('https:');
  return {
    name: secure ? `__Host-${plainName}` : plainName,
    attributes: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  };
}
