import { EventEmitter } from 'node:events';
import type { ServiceEvents } from '../contract/events.ts';

export type EventName = keyof ServiceEvents;
type EventListener = (name: EventName, event: ServiceEvents[EventName]) => void;

/** Notifies open windows and browsers of changed data. */
export class Events {
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  #streams = 0;

  emit<N extends EventName>(name: N, event: ServiceEvents[N]): void {
    this.#emitter.emit('own', name, event);
    this.deliver(name, event);
  }

  /** Tells subscribers of what happened in another process. */
  deliver<N extends EventName>(name: N, event: ServiceEvents[N]): void {
    this.#emitter.emit('event', name, event);
  }

  /** Whether anybody listens on a stream. */
  get hasStreams(): boolean {
    return this.#streams > 0;
  }

  /** @returns the function that ends the subscription. */
  subscribe(listener: EventListener): () => void {
    this.#emitter.on('event', listener);
    return () => this.#emitter.off('event', listener);
  }

  /** `subscribe` for the stream of a person. */
  subscribeStream(listener: EventListener): () => void {
    const end = this.subscribe(listener);
    this.#streams += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#streams -= 1;
      isOver = true;
      end();
    };
  }

  /** `subscribe` for what happens in this process alone. */
  subscribeOwn(listener: EventListener): () => void {
    this.#emitter.on('own', listener);
    return () => this.#emitter.off('own', listener);
  }
}
