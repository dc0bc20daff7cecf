import type { IncomingMessage } from 'node:http';

/** How often a request has a header, by its name in lower case. Node keeps the first of some and joins others: only the raw list tells. */
export function timesSent(request: IncomingMessage, name: string): number {
  const raw = request.rawHeaders;
  let times = 0;
  for (let i = 0; i < raw.length; i += 2)
    if (raw[i]?.length === name.length && raw[i]?.toLowerCase() === name) times += 1;
  return times;
}
