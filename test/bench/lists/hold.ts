// Loaded into our service before everything else: how much processor time one turn of its event loop took at most, from its first statement on.
// Processor time of the thread, because the delay of the event loop also holds what other programs on the machine took.
import Database from 'better-sqlite3';
import http from 'node:http';

const statement = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')) as Record<
  string,
  (this: unknown, ...values: unknown[]) => unknown
>;
let begun: NodeJS.CpuUsage | null = null;
let longest = 0;

function watchTurn(): void {
  if (begun !== null) return;
  begun = process.threadCpuUsage();
  setImmediate(() => {
    const { user, system } = process.threadCpuUsage(begun ?? undefined);
    longest = Math.max(longest, (user + system) / 1000);
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
    response.end(String(longest));
    longest = 0;
  })
  .listen(process.env['BENCHPORT_BENCH_HOLD'])
  .unref();
