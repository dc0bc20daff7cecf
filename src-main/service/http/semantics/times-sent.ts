import type { IncomingMessage } from 'node:http';

/**
 * The number of times that a request has a header, by its name in lower case. Read from the raw
 * list, because Node keeps the first of some headers and joins others.
 */
export function timesSent(request: IncomingMessage, name: string): number {
  const raw = request.rawHeaders;
  let times = 0;
  for (let i = 0; i < raw.length; i += 2)
    if (raw[i]?.length === name.length && raw[i]?.toLowerCase() === name) times += 1;
  return times;
}
