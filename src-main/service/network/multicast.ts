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
  leaveOutFloods(socket);
  return mdns;
}

// An answer of ours has less than ten records, and no machine asks for so much at once.
const maxRecords = 100;
const maxQuestions = 50;

interface Packet {
  readonly questions: readonly unknown[];
  readonly answers: readonly unknown[];
  readonly additionals: readonly unknown[];
}

/**
 * Keeps packets from the library that nobody honest sends: it compares each record with each other one and answers each question by itself, so that one of
 * the 64 KB that fit into a datagram would hold the service for many seconds.
 */
export function leaveOutFloods(socket: NodeJS.EventEmitter): void {
  const emit = socket.emit.bind(socket);
  socket.emit = (name, ...values: unknown[]) => {
    if (name !== 'query' && name !== 'response') return emit(name, ...values);
    const { questions, answers, additionals } = values[0] as Packet;
    return (
      questions.length <= maxQuestions && answers.length + additionals.length <= maxRecords && emit(name, ...values)
    );
  };
}
