// A separate process, so that nothing delays it: node ask-health.ts ADDRESS. It sends five requests
// a second until it is killed, and reports each response; it is given the process of the service.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { HealthSample } from './attack.ts';

const [address = ''] = process.argv.slice(2);
const pauseMs = 200;
let pid = 0;
process.on('message', (one: number) => void (pid = one));

/**
 * Milliseconds for which the main threads of the service and of this process were runnable without
 * a processor (Linux, "scheduler statistics").
 */
function withoutProcessor(): number {
  return [pid, process.pid].reduce((sum, one) => sum + waitedOf(one), 0);
}

function waitedOf(one: number): number {
  try {
    return Number(readFileSync(`/proc/${one}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

async function ask(): Promise<number> {
  return new Promise((resolve) => {
    const request = http.get(`${address}/-/health`, { agent: false }, (response) => {
      response.resume().once('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
    });
    request.once('error', () => resolve(0));
  });
}

for (;;) {
  const [from, before] = [performance.now(), withoutProcessor()];
  const status = await ask();
  const sample = {
    from: performance.timeOrigin + from,
    ms: performance.now() - from,
    withoutProcessor: Math.max(0, withoutProcessor() - before),
    status,
  };
  process.send?.(sample satisfies HealthSample);
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
