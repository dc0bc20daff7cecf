import type { JournalCall } from './engine-messages.ts';
import type { Journal } from '../types.ts';

/** The journal as seen by the worker thread: each call is a message, and so is its reply. */
export class RemoteJournal implements Journal {
  readonly #send: (call: number, of: JournalCall) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #next = 0;

  constructor(send: (call: number, of: JournalCall) => void) {
    this.#send = send;
  }

  onReply(reply: { readonly call: number; readonly value?: unknown; readonly error?: string }): void {
    const one = this.#waiting.get(reply.call);
    this.#waiting.delete(reply.call);
    if (reply.error === undefined) one?.resolve(reply.value);
    else one?.reject(new Error(`the journal failed: ${reply.error}`));
  }

  begin: Journal['begin'] = (...args) => this.#call({ method: 'begin', args });
  addFiles: Journal['addFiles'] = (...args) => this.#call({ method: 'addFiles', args });
  openFiles: Journal['openFiles'] = (...args) => this.#call({ method: 'openFiles', args });
  doneFiles: Journal['doneFiles'] = (...args) => this.#call({ method: 'doneFiles', args });
  standing: Journal['standing'] = (...args) => this.#call({ method: 'standing', args });
  pieces: Journal['pieces'] = (...args) => this.#call({ method: 'pieces', args });
  record: Journal['record'] = (...args) => this.#call({ method: 'record', args });
  log: Journal['log'] = (...args) => this.#call({ method: 'log', args });

  async #call<Result>(of: JournalCall): Promise<Result> {
    this.#next += 1;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#next, waiting);
    this.#send(this.#next, of);
    return (await waiting.promise) as Result;
  }
}
