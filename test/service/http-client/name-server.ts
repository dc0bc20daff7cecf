import type { Resolve } from '../../../src-main/service/http-client/outgoing-guard.ts';

/** A name server: each name has its addresses for the first, second, ... time that it is asked. */
export function nameServer(
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
): Resolve & { asked: string[] } {
  const asked: string[] = [];
  const resolve: Resolve = (hostname, _options, callback) => {
    const times = names[hostname.replace(/\.$/, '')];
    const found = times?.[Math.min(asked.filter((one) => one === hostname).length, times.length - 1)];
    asked.push(hostname);
    if (!found) return callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    return callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return Object.assign(resolve, { asked });
}
