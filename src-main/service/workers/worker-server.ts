import { parentPort } from 'node:worker_threads';
import { RpcPeer, type Handlers, type Methods, type Remote } from './rpc.ts';

/**
 * Answers the calls of a `createWorkerClient`; called once by the file of a worker.
 *
 * @returns the methods of the thread that started this one.
 */
export function serveWorker<Served extends Methods<Served>, Caller extends Methods<Caller> = object>(
  handlers: Handlers<Served>,
): Remote<Caller> {
  const port = parentPort;
  if (!port) throw new Error('this file is the start of a worker thread');
  const peer = new RpcPeer<Caller, Served>({
    post: (message, transfer) => port.postMessage(message, transfer),
    handlers,
  });
  port.on('message', peer.receive);
  return peer;
}
