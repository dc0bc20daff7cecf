/**
 * The service's end of the link to the process that started it: a utility process of Electron, a
 * child process of Node, or none. Only this file knows which.
 */
import type { FromService, ToService } from './host-protocol.ts';

/** A link to the process that started this one. */
export interface HostLink {
  readonly kind: 'utility' | 'child' | 'none';
  send(message: FromService): void;
  onMessage(listener: (message: ToService) => void): void;
  /**
   * Called once the parent is gone. Never called in a utility process, which ends together with its
   * parent.
   */
  onClose(listener: () => void): void;
}

/**
 * The used part of Electron's `process.parentPort`, declared here so that no Electron types are
 * needed.
 */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/**
 * Finds the parent of this process. Without one, sending does nothing and nothing is ever received.
 */
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
      // The parent may have ended a moment ago; that is reported through onClose, not here.
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
  return (
    value.type === 'stop' ||
    (value.type === 'start' && 'options' in value) ||
    (value.type === 'power' && 'event' in value)
  );
}
