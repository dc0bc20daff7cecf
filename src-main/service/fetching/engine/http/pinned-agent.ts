import type { Agent, AgentOptions, RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connectTls } from './connection.ts';

/**
 * Creates an agent that trusts exactly one certificate and no authority. Nothing, above all not the
 * token, is sent before the server has presented it.
 *
 * @param sha256 of the certificate, hexadecimal.
 */
export function pinnedAgent(options: AgentOptions, sha256: string): Agent {
  // Loaded on first use; see http-client.ts.
  const https = process.getBuiltinModule('node:https');
  const createConnection = (asked: RequestOptions, done?: (error: Error | null, socket: Duplex) => void): null => {
    const { host, port, servername, timeout } = asked as {
      host: string;
      port: number;
      servername?: string;
      timeout?: number;
    };
    const named = servername === undefined || servername === '' ? {} : { servername };
    const fail = (error: Error): void => {
      socket.destroy();
      done?.(error, socket);
    };
    const silent = (): void => fail(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }));
    const socket = connectTls({ host, port, ...named, ...(timeout === undefined ? {} : { timeout }) }, sha256, () => {
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
