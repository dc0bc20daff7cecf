// Preloaded into our service: the maximum processor time of one turn of its event loop. Processor
// time of the thread, because the delay of the event loop includes the time of other programs.
import Database from 'better-sqlite3';
import http from 'node:http';

const statement = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')) as Record<
  string,
  (this: unknown, ...values: unknown[]) => unknown
>;
let begun: NodeJS.CpuUsage | null = null;
let maxHold = 0;

function watchTurn(): void {
  if (begun !== null) return;
  begun = process.threadCpuUsage();
  setImmediate(() => {
    const { user, system } = process.threadCpuUsage(begun ?? undefined);
    maxHold = Math.max(maxHold, (user + system) / 1000);
    begun = null;
  });
}

for (const name of ['all', 'get', 'run']) {
  const original = statement[name];
  if (original === undefined) throw new Error(`better-sqlite3 has no ${name}`);
  statement[name] = function watched(...values) {
    watchTurn();
    return original.apply(this, values);
  };
}

http
  .createServer((_request, response) => {
    response.end(String(maxHold));
    maxHold = 0;
  })
  .listen(process.env['BENCHPORT_BENCH_HOLD'])
  .unref();
