import { connect, type Socket } from 'node:net';

/** A client on a bare socket: it sends the bytes a test gives it and reads only when told to. */
export class RawClient {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  readonly #chunks: Buffer[] = [];
  #received = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.#received += chunk.length;
      // Long bodies are counted, not stored.
      if (this.#received < 8 * 1024 * 1024) this.#chunks.push(chunk);
    });
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async open(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawClient(socket);
  }

  /** Sends a GET request with the given header lines. */
  get(path: string, ...headers: readonly string[]): this {
    this.socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`,
    );
    return this;
  }

  get received(): number {
    return this.#received;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('latin1');
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.text)?.[1] ?? 0);
  }

  /** Length of the bytes received after the head. */
  get bodyReceived(): number {
    const end = this.text.indexOf('\r\n\r\n');
    return end < 0 ? 0 : this.#received - end - 4;
  }

  /** Waits until this many bytes are received or the connection has ended. */
  async until(bytes: number): Promise<void> {
    while (this.#received < bytes && !this.socket.destroyed) await new Promise((resolve) => setTimeout(resolve, 2));
  }

  /** Stops reading; received bytes stay in the network's buffers. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Reads until the other side closes the connection. */
  async drain(): Promise<void> {
    this.socket.resume();
    await this.closed;
  }
}
