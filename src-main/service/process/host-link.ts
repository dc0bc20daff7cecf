/**
 * The service's end of the line to whichever process started it: a utility process of Electron, a child
 * process of Node, or nobody at all. Nothing above this file knows which.
 */
import type { FromService, ToService } from './host-protocol.ts';

/** A line to the process that started this one. */
export interface HostLink {
  readonly kind: 'utility' | 'child' | 'none';
  send(message: FromService): void;
  onMessage(listener: (message: ToService) => void): void;
  /** Called once the parent is gone. A utility process never hears this: it ends together with its parent. */
  onClose(listener: () => void): void;
}

/** The part of Electron's `process.parentPort` used here, written down so that no Electron types are needed. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** Finds the parent of this process. Without one, sending does nothing and nothing is ever received. */
export function hostLink(): HostLink {
  const parentPort = (process as { parentPort?: ParentPort }).parentPort;
  if (parentPort) return utilityLink(parentPort);
  if (process.send) return childLink();
  return { kind: 'none', send: () => {}, onMessage: () => {}, onClose: () => {} };
}

function utilityLink(port: ParentPort): HostLink {
  return {
    kind: 'utility',
    send: (message) => {
      port.postMessage(message);
    },
    onMessage: (listener) => {
      port.on('message', (event) => {
        if (isToService(event.data)) listener(event.data);
      });
    },
    onClose: () => {},
  };
}

function childLink(): HostLink {
  return {
    kind: 'child',
    send: (message) => {
      // The parent may have gone a moment ago; its absence is reported through onClose, not here.
      if (process.connected) process.send?.(message, undefined, undefined, () => {});
    },
    onMessage: (listener) => {
      process.on('message', (message) => {
        if (isToService(message)) listener(message);
      });
    },
    onClose: (listener) => {
      process.once('disconnect', listener);
    },
  };
}

function isToService(value: unknown): value is ToService {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return value.type === 'stop' || (value.type === 'start' && 'options' in value);
}
