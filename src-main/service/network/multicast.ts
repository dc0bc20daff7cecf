import { Bonjour } from 'bonjour-service';

/**
 * Multicast DNS at one address of this machine; at every one for null. The socket itself is bound to every address, because what is sent to a group
 * arrives at no other.
 *
 * @param onError hears of what goes wrong with the socket from now on.
 */
export function openMulticast(address: string | null, onError: (error: unknown) => void): Bonjour {
  // Handed on to the socket of multicast DNS, which the library's types do not know.
  const options: object = { bind: '0.0.0.0', ...(address === null ? {} : { interface: address }) };
  const mdns = new Bonjour(options, onError);
  // The library hands these on to nobody, and an error that nobody hears ends the process.
  const socket = mdns['server'].mdns as NodeJS.EventEmitter;
  socket.on('error', onError).on('warning', onError);
  return mdns;
}
