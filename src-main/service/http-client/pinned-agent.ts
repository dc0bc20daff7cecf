import type { Agent, AgentOptions, RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { connectTls } from './connection.ts';

/**
 * Creates an agent that trusts exactly one certificate and no authority. Nothing, above all not the
 * token, is sent before the server has presented it.
 *
 * @param sha256 of the certificate, hexadecimal.
 */
export function pinnedAgent(options: AgentOptions, sha256: string): Agent {
  // Loaded on first use; see node-request.ts.
  const https = process.getBuiltinModule('node:https');
  const createConnection = (asked: RequestOptions, done?: (error: Error | null, socket: Duplex) => void): null => {
    const { host, port, servername, timeout, lookup } = asked as {
      host: string;
      port: number;
      servername?: string;
      timeout?: number;
      lookup?: LookupFunction;
    };
    const place = {
      host,
      port,
      ...(servername === undefined || servername === '' ? {} : { servername }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(lookup === undefined ? {} : { lookup }),
    };
    const fail = (error: Error): void => {
      socket.destroy();
      done?.(error, socket);
    };
    const silent = (): void => fail(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }));
    const socket = connectTls(place, sha256, () => {
      socket.off('error', fail);
      socket.off('timeout', silent);
      done?.(null, socket);
    });
    socket.once('error', fail);
    socket.once('timeout', silent);
    return null;
  };
  return Object.assign(new https.Agent(options), { createConnection });
}
