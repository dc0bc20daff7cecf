import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import type { SharingTest } from '../contract/sharing.ts';
import { sendOnce } from '../http-client/http-client.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import { readText } from '../http-client/read-text.ts';
import type { App } from '../http/app.ts';
import { HttpProblem } from '../common/problem.ts';

const path = '/-/sharing-test/';
const timeoutMs = 5000;
const maxResponseBytes = 200;

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
      const body = await probe(url, nonce, sha256);
      if (!body.includes(word)) return anotherProgram(url);
      return {
        reachable: true,
        message: `This service answers at ${url} when asked from this machine. That does not test the firewall: also try the address on another machine.`,
      };
    } catch (error) {
      if (error instanceof HttpRequestError && isOfResponse(error)) return anotherProgram(url);
      return { reachable: false, message: `Nothing answers at ${url}, not even from this machine: ${reasonOf(error)}` };
    } finally {
      this.#expected.delete(nonce);
    }
  }
}

function anotherProgram(url: string): SharingTest {
  return { reachable: false, message: `Another program answers at ${url}. Choose another port.` };
}

/** Whether a server responded, although in an unexpected way. */
function isOfResponse({ status, reason }: HttpRequestError): boolean {
  return status !== null || reason === 'bad-answer' || reason === 'redirected';
}

async function probe(url: string, nonce: string, sha256: string | null): Promise<string> {
  const server = { baseUrl: url, token: null, certificate: sha256 };
  const response = await sendOnce(server, {
    path: `${path}${nonce}`,
    signal: AbortSignal.timeout(timeoutMs),
  });
  return (await readText(response, maxResponseBytes)) ?? '';
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'there was no answer within five seconds. A firewall on this machine may be in the way.';
  if (!(error instanceof HttpRequestError)) return 'the connection failed.';
  if (error.failure === 'refused') return 'the connection was refused. Switch sharing off and on again.';
  return error.message;
}
