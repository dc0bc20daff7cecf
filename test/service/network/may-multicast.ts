import { createSocket } from 'node:dgram';

export const loopback = '127.0.0.1';
/** Whether programs may join the multicast DNS group here, which not every container permits. */
export const mayMulticast = await new Promise<boolean>((resolve) => {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  socket.once('error', () => resolve(false));
  socket.bind(5353, () => {
    try {
      socket.addMembership('224.0.0.251', loopback);
      resolve(true);
    } catch {
      resolve(false);
    } finally {
      socket.close();
    }
  });
});
