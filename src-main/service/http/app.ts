import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Principal } from './principal.ts';

/** The fastify application behind both listeners, typed by the TypeBox schemas of the contract. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Set before a stop: answers then close their connections, so that a balancer opens no more. */
    draining: { begun: boolean };
  }
  interface FastifyRequest {
    /** The user of the request; null before authentication has run, or without a credential. */
    principal: Principal | null;
  }
  interface FastifyContextConfig {
    /** The shape of error bodies on this route; problem+json when left out. */
    errors?: 'gitlab';
    /** Whether the credential may stand in the query string (`access_token`). */
    queryToken?: boolean;
    /**
     * Whether the credential may stand in a form body (`access_token`, RFC 6750 section 2.2); the
     * route then authenticates after reading it.
     */
    formToken?: boolean;
    /** Whether the credential may be Basic, a user name and a token (RFC 7617). */
    basic?: boolean;
    /** Reachable only through the private socket of the window: 404 through any other listener. */
    windowOnly?: boolean;
    /**
     * Logged as reads are: a POST that changes nothing, or one so frequent that a line for each
     * would flood the log.
     */
    reads?: boolean;
    /** Answered without waiting for other replicas, because it is frequent and takes no access away. */
    unconfirmed?: boolean;
    /**
     * Which budget counts a body while it arrives: the one of `server/body-budget.ts` when left
     * out, the route's own, or that of a route that also reads the stream itself.
     */
    body?: 'own-budget' | 'own-reader';
    /** Its body may arrive for as long as it takes; the route ends it when nothing comes. */
    slowBody?: boolean;
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Set by the listener of the private socket before the application sees the request. */
    viaPrivateSocket?: true;
    /** Set once its route is known to wait for its body. */
    slowBody?: true;
  }
}
