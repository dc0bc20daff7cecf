import { setTimeout as wait } from 'node:timers/promises';
import type { Asked, Fault } from './exchange.ts';

/** A fault for the first requests that match `which`. */
export function firstTimes(times: number, fault: Fault, which: (asked: Asked) => boolean = () => true): Fault {
  let left = times;
  return (asked, answer) => {
    if (left === 0 || !which(asked)) return answer;
    left -= 1;
    return fault(asked, answer);
  };
}

/** A fault for all requests that match `which`. */
export function forThose(which: (asked: Asked) => boolean, fault: Fault): Fault {
  return (asked, answer) => (which(asked) ? fault(asked, answer) : answer);
}

/** A fault for every nth request that matches `which`. */
export function everyNth(n: number, fault: Fault, which: (asked: Asked) => boolean = () => true): Fault {
  let count = 0;
  return (asked, answer) => {
    if (!which(asked)) return answer;
    count += 1;
    return count % n === 0 ? fault(asked, answer) : answer;
  };
}

/** A fault for requests that are pipelined behind another one of their connection. */
export function whileOthersWait(fault: Fault): Fault {
  const waiting = new Map<Asked['socket'], number>();
  return async (asked, answer) => {
    const { socket } = asked;
    const others = waiting.get(socket) ?? 0;
    waiting.set(socket, others + 1);
    // A client that waits for the response sends nothing before it.
    await wait(2);
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    return others > 0 ? fault(asked, answer) : answer;
  };
}

/** Requests for ranges, files and archives, which have bytes. */
export const bodies = (asked: Asked): boolean => asked.what === 'file' || asked.what === 'archive';
export const manifests = (asked: Asked): boolean => asked.what === 'manifest';
/** One of the files. */
export const fileNumber =
  (index: number) =>
  (asked: Asked): boolean =>
    asked.what === 'file' && asked.index === index;
