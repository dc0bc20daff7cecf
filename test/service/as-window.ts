import http from 'node:http';
import type { TestService } from './start.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export async function asWindow(
  service: Pick<TestService, 'socketPath' | 'launchSecret'>,
  method: string,
  url: string,
  body?: unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      'x-benchport-launch-secret': service.launchSecret,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    const request = http.request({ socketPath: service.socketPath, method, path: url, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, body: answer === '' ? null : JSON.parse(answer) });
      });
    });
    request.on('error', reject);
    request.end(text);
  });
}
