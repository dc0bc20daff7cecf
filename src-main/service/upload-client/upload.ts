import { setTimeout } from 'node:timers/promises';
import { replaceUnseen } from '../common/unseen-characters.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import { resolveWithin } from '../http-client/server-url.ts';
import { writeAll, type Bytes, type Manifest, type Take } from './bytes.ts';
import { connectionRefusal, refusal, textIn, UploadFailure } from './upload-failure.ts';
import type { Answer, SendRequest } from './upload-requests.ts';

const minLookMs = 50;
const maxLookMs = 1000;
/** A server that hangs must not keep the place of other copies; the next attempt asks again. */
const maxRegisteringMs = 10 * 60_000;

export interface UploadTarget {
  /** Null for an archive that comes without one. */
  readonly manifest: Manifest | null;
  /** Without a trailing slash. */
  readonly server: URL;
  readonly id: string;
  readonly title: string;
  /** Path of the project that may read it; null for none. */
  readonly project: string | null;
}

/** The upload of an archive to a server, in as many attempts as it needs. */
export class Upload {
  readonly #send: SendRequest;
  readonly #target: UploadTarget;
  readonly #bytes: Bytes;
  #address: URL | null;

  /** @param address of an upload that began earlier; null begins one. */
  constructor(send: SendRequest, target: UploadTarget, bytes: Bytes, address: URL | null = null) {
    [this.#send, this.#target, this.#bytes, this.#address] = [send, target, bytes, address];
  }

  /** Where it goes on; null before the server has accepted it. */
  get address(): URL | null {
    return this.#address;
  }

  /**
   * Sends what the server does not have and waits until it is registered.
   *
   * @param onSent told how many bytes the server has.
   * @returns whether the server had the measurement already.
   * @throws UploadFailure, an error of reading the bytes, or the signal's reason.
   */
  async attempt(signal: AbortSignal, onSent: (bytesDone: number) => void): Promise<{ readonly wasThere: boolean }> {
    try {
      this.#address ??= await this.#begin(signal);
      if (this.#address === null) return { wasThere: true };
      await this.#sendRest(this.#address, signal, onSent);
      await this.#registered(this.#address, signal);
      return { wasThere: false };
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof HttpRequestError ? connectionRefusal(error) : error;
    }
  }

  async #begin(signal: AbortSignal): Promise<URL | null> {
    const { manifest } = this.#target;
    return manifest === null ? this.#create(signal) : this.#announce(manifest, signal);
  }

  async #announce(manifest: Manifest, signal: AbortSignal): Promise<URL | null> {
    const { server, id, title, project } = this.#target;
    const head = { id, title, ...(project === null ? {} : { project }) };
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await this.#send(
      this.#creation(),
      { method: 'POST', headers, body: async (take) => writeAll(manifest(head), take) },
      signal,
    );
    if (answer.status !== 200 && answer.status !== 201) throw refusal(answer, server.host);
    if (answer.body['state'] === 'available') return null;
    return resolveWithin(server, answer.headers.location ?? '');
  }

  async #create(signal: AbortSignal): Promise<URL> {
    const { server, id, title, project } = this.#target;
    const pairs = { id, title, filename: 'archive.zip', ...(project === null ? {} : { project }) };
    const metadata = Object.entries(pairs).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`);
    const headers = { 'upload-length': this.#bytes.length, 'upload-metadata': metadata.join(','), 'content-length': 0 };
    const answer = await this.#send(this.#creation(), { method: 'POST', headers }, signal);
    const { location } = answer.headers;
    // Of an upload that an earlier attempt began.
    if (location !== undefined && (answer.status === 201 || answer.status === 409))
      return resolveWithin(server, location);
    throw refusal(answer, server.host);
  }

  #creation(): URL {
    return new URL(`${this.#target.server.href.replace(/\/$/, '')}/api/v4/measurements/uploads`);
  }

  async #sendRest(address: URL, signal: AbortSignal, onSent: (bytesDone: number) => void): Promise<void> {
    let offset = await this.#offset(address, signal);
    onSent(offset);
    while (offset < this.#bytes.length) {
      const before = offset;
      offset = await this.#append(address, offset, signal, onSent);
      onSent(offset);
      if (offset === before) throw new UploadFailure('retry', 'bad-answer', `${address.host} takes no more bytes.`);
    }
  }

  async #offset(address: URL, signal: AbortSignal): Promise<number> {
    const answer = await this.#send(address, { method: 'HEAD' }, signal);
    if (answer.status === 404 || answer.status === 410) {
      this.#address = null;
      throw new UploadFailure(
        'retry',
        'server-failed',
        `${address.host} no longer has what was uploaded. It begins again.`,
      );
    }
    if (answer.status !== 200) throw refusal(answer, address.host);
    return offsetIn(answer, address.host);
  }

  async #append(
    address: URL,
    offset: number,
    signal: AbortSignal,
    onSent: (bytesDone: number) => void,
  ): Promise<number> {
    const headers = {
      'upload-offset': offset,
      'content-type': 'application/offset+octet-stream',
      'content-length': this.#bytes.length - offset,
    };
    let at = offset;
    const body = async (take: Take): Promise<void> =>
      this.#bytes.writeFrom(offset, async (chunk) => {
        const { length } = chunk;
        await take(chunk);
        at += length;
        onSent(at);
      });
    const answer = await this.#send(address, { method: 'PATCH', headers, body }, signal);
    if (answer.status !== 204) throw refusal(answer, address.host);
    return offsetIn(answer, address.host);
  }

  async #registered(address: URL, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    for (;;) {
      const answer = await this.#send(address, { method: 'GET' }, signal);
      if (answer.status !== 200) throw refusal(answer, address.host);
      const state = answer.body['state'];
      if (state === 'available') return;
      if (state === 'failed') {
        this.#address = null;
        throw new UploadFailure('refused', 'refused', replaceUnseen(textIn(answer.body, 'problem'), ' ').slice(0, 500));
      }
      const waitedMs = performance.now() - began;
      if (waitedMs > maxRegisteringMs)
        throw new UploadFailure('retry', 'server-failed', `${address.host} has not registered it yet.`);
      // Found at most a tenth later than it was registered.
      await setTimeout(Math.min(maxLookMs, Math.max(minLookMs, waitedMs / 10)), undefined, { signal });
    }
  }
}

function offsetIn({ headers }: Answer, host: string): number {
  const offset = Number(headers['upload-offset']);
  if (headers['upload-offset'] === undefined || !Number.isSafeInteger(offset) || offset < 0)
    throw new UploadFailure('retry', 'bad-answer', `${host} does not say how much it has.`);
  return offset;
}
