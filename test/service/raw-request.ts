import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  /** An array sends a header several times. */
  readonly headers?: NodeJS.Dict<string | string[]>;
  readonly body?: string;
}

/** A request without anything that `fetch` adds or forbids, over TCP or a Unix socket. */
export function rawRequest(
  to: { readonly port: number } | { readonly socketPath: string },
  wish: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { ...to, method: wish.method ?? 'GET', path: wish.path, headers: wish.headers, agent: false },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => (body += piece));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(wish.body);
  });
}

/** A JSON request over the private listener. */
export function windowRequest(
  service: { readonly socketPath: string; readonly launchSecret: string },
  method: string,
  path: string,
  body?: unknown,
  secret: string = service.launchSecret,
): Promise<RawAnswer> {
  return rawRequest(
    { socketPath: service.socketPath },
    {
      method,
      path,
      headers: {
        'x-benchport-launch-secret': secret,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  );
}
