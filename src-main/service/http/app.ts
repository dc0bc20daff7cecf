import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Principal } from './principal.ts';

/** The one fastify application behind both doors, typed by the TypeBox schemas of the contract. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null until `authenticate` ran, or when nobody is known. */
    principal: Principal | null;
  }
  interface FastifyContextConfig {
    /** The shape of error bodies on this route; problem+json when left out. */
    errors?: 'gitlab';
    /** Whether the credential may stand in the query string (`access_token`). */
    queryToken?: boolean;
    /** Whether the credential may stand in a form body (`access_token`, RFC 6750 section 2.2); the route then authenticates after reading it. */
    formToken?: boolean;
    /** Only through the window's door: 404 for everybody else. */
    windowOnly?: boolean;
    /** A POST that changes nothing, or one of so many that a line each would be the whole log; logged as reads are. */
    reads?: boolean;
    /** Who counts a body while it arrives: `http/body-budget.ts` when left out, the route itself, or the route that also reads the stream. */
    body?: 'own-budget' | 'own-reader';
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Set by the listener of the private socket before the application sees the request. */
    viaPrivateSocket?: true;
  }
}
