import multicastDns, { type MulticastDNS } from 'multicast-dns';

/**
 * Opens multicast DNS on one address of this machine, or on all for null. The socket is always
 * bound to the wildcard address, because packets to a multicast group arrive only there.
 *
 * @param onError receives later errors of the socket.
 */
export function openMulticast(address: string | null, onError: (error: unknown) => void): MulticastDNS {
  const socket = multicastDns({ bind: '0.0.0.0', ...(address === null ? {} : { interface: address }) });
  // An unhandled error event would end the process.
  socket.on('error', onError).on('warning', onError).setMaxListeners(0);
  dropOversizedPackets(socket);
  return socket;
}

// Responses of a Benchport have fewer than ten records; the limits are far above those of real
// packets.
const maxRecords = 100;
const maxQuestions = 50;

interface Packet {
  readonly questions: readonly unknown[];
  readonly answers: readonly unknown[];
  readonly additionals: readonly unknown[];
}

/**
 * Drops oversized packets: browsing compares every record with every other, so one datagram of
 * 64 KB could block the service for many seconds.
 */
export function dropOversizedPackets(socket: NodeJS.EventEmitter): void {
  const emit = socket.emit.bind(socket);
  socket.emit = (name, ...values: unknown[]) => {
    if (name !== 'query' && name !== 'response') return emit(name, ...values);
    const { questions, answers, additionals } = values[0] as Packet;
    return (
      questions.length <= maxQuestions && answers.length + additionals.length <= maxRecords && emit(name, ...values)
    );
  };
}
