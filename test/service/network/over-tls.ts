import https from 'node:https';
import { pinnedAgent } from '../../../src-main/service/http-client/pinned-agent.ts';

/** A `fetch` that trusts one certificate for any address. @param sha256 hexadecimal. */
export function fetchOverTls(sha256: string) {
  const agent = pinnedAgent({}, sha256);
  return async (url: string, { method = 'GET', headers, body }: RequestInit = {}): Promise<Response> => {
    const asked = new Request(url, {
      method,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    });
    const sent = Buffer.from(await asked.arrayBuffer());
    return new Promise((resolve, reject) => {
      const request = https.request(url, { agent, method, headers: Object.fromEntries(asked.headers) }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const taken = new Headers();
          for (let at = 0; at < answer.rawHeaders.length; at += 2)
            taken.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
          const status = answer.statusCode ?? 0;
          resolve(new Response(status === 204 ? null : Buffer.concat(parts), { status, headers: taken }));
        });
      });
      request.on('error', reject);
      request.end(sent);
    });
  };
}
