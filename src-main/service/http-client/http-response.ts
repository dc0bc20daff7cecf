import type { IncomingHttpHeaders } from 'node:http';

/**
 * Receives the bytes of a body in order. They stay valid until the promise resolves; without a
 * promise, for the call.
 */
export type BodyHandler = (bytes: Buffer) => Promise<void> | undefined;

/** The start of a response, before its body is read. */
export interface ResponseStart {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The URL after redirects. */
  readonly url: URL;
}

/** A response of either transport. The caller reads the body and calls `end` in any case. */
export interface HttpResponse extends ResponseStart {
  /**
   * Delivers the body; resolves when all of it was handled.
   *
   * @throws HttpRequestError, the signal's reason, or an error of the handler.
   */
  readonly read: (take: BodyHandler) => Promise<void>;
  /** Closes the connection unless the body was received to its end. */
  readonly end: () => void;
}
