import { EventEmitter } from 'node:events';
import type { ServiceEvents } from '../contract/events.ts';

export type EventName = keyof ServiceEvents;

/** Notifies open windows and browsers of changed data. */
export class Events {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  emit<N extends EventName>(name: N, event: ServiceEvents[N]): void {
    this.#emitter.emit('event', name, event);
  }

  /** @returns the function that ends the subscription. */
  subscribe(listener: (name: EventName, event: ServiceEvents[EventName]) => void): () => void {
    this.#emitter.on('event', listener);
    return () => this.#emitter.off('event', listener);
  }
}
