import type { Agent, AgentOptions, RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { AskError } from './ask-error.ts';

/**
 * An agent that trusts one certificate and no authority. Nothing is sent, the token least of all, before the server has shown it.
 *
 * @param sha256 of the certificate, hexadecimal.
 */
export function pinnedAgent(options: AgentOptions, sha256: string): Agent {
  // Not by import; see ask.ts.
  const [https, tls] = [process.getBuiltinModule('node:https'), process.getBuiltinModule('node:tls')];
  const wanted = sha256.toLowerCase();
  const createConnection = (asked: RequestOptions, done?: (error: Error | null, socket: Duplex) => void): null => {
    const { host, port, servername, timeout } = asked as { host: string; port: number; servername?: string; timeout?: number };
    const named = servername === undefined || servername === '' ? {} : { servername };
    // Without the usual check, because the certificate itself is compared; a resumed session would show none.
    const socket = tls.connect({ host, port, ...named, ...(timeout === undefined ? {} : { timeout }), rejectUnauthorized: false });
    const fail = (error: Error): void => {
      socket.destroy();
      done?.(error, socket);
    };
    const silent = (): void => fail(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }));
    socket.once('error', fail);
    socket.once('timeout', silent);
    socket.once('secureConnect', () => {
      socket.off('error', fail);
      socket.off('timeout', silent);
      const shown = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase();
      if (shown === wanted) return done?.(null, socket);
      socket.on('error', () => {});
      return fail(
        new AskError(
          'certificate',
          'certificate',
          `${host} shows another certificate than the one that is trusted. Ask its owner before trusting the new one.`,
        ),
      );
    });
    return null;
  };
  return Object.assign(new https.Agent(options), { createConnection });
}
