import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { Type } from 'typebox';
import type { SharingTest } from '../contract/sharing.ts';
import { errorCode } from '../common/error-code.ts';
import { pinnedAgent } from '../fetching/engine/http/pinned-agent.ts';
import type { App } from '../http/app.ts';
import { http } from '../common/node-http.ts';
import { HttpProblem } from '../common/problem.ts';

const path = '/-/sharing-test/';
const timeoutMs = 5000;
const maxResponseLength = 200;

/** Tests whether the shared address leads to this service. */
export class SelfTest {
  // Secret words by nonce; only this process can respond with them.
  readonly #expected = new Map<string, string>();

  register(app: App): void {
    app.get(
      `${path}:nonce`,
      { schema: { hide: true, params: Type.Object({ nonce: Type.String() }) } },
      async (request) => {
        const word = this.#expected.get(request.params.nonce);
        this.#expected.delete(request.params.nonce);
        if (word === undefined) throw new HttpProblem(404, 'There is nothing at this address.');
        return { word };
      },
    );
  }

  /**
   * Connects to the shared address from this machine and explains what the result means. @param url
   * without a trailing slash. @param sha256 of the certificate of an https address.
   */
  async run(url: string, sha256: string | null): Promise<SharingTest> {
    const nonce = randomBytes(16).toString('hex');
    const word = randomBytes(16).toString('hex');
    this.#expected.set(nonce, word);
    try {
      const body = await probe(`${url}${path}${nonce}`, sha256);
      if (!body.includes(word))
        return { reachable: false, message: `Another program answers at ${url}. Choose another port.` };
      return {
        reachable: true,
        message: `This service answers at ${url} when asked from this machine. That does not test the firewall: also try the address on another machine.`,
      };
    } catch (error) {
      return { reachable: false, message: `Nothing answers at ${url}, not even from this machine: ${reasonOf(error)}` };
    } finally {
      this.#expected.delete(nonce);
    }
  }
}

function probe(url: string, sha256: string | null): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const take = (response: IncomingMessage): void => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > maxResponseLength) response.destroy();
      });
      response.on('close', () => resolve(text));
    };
    const request =
      sha256 === null
        ? http.get(url, { agent: false, signal }, take)
        : https.get(url, { agent: pinnedAgent({}, sha256), signal }, take);
    request.on('error', reject);
  });
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ECONNREFUSED') return 'the connection was refused. Switch sharing off and on again.';
  if (code === 'ABORT_ERR' || code === 'ETIMEDOUT')
    return 'there was no answer within five seconds. A firewall on this machine may be in the way.';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return 'there is no way to this address. Check the network connection.';
  return error instanceof Error ? `${error.message}.` : 'the connection failed.';
}
