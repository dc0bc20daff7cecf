import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Metrics {
  /** From now on the event loop's delay counts: somebody can be kept waiting. Putting the application together before that takes one long turn. */
  begin(): void;
  /** Counts one answered request. */
  count(method: string, status: number): void;
  /** Takes what the transfers report once a second while any runs. */
  rates(bytesPerSecond: number, clients: number): void;
  /** Prometheus' text format, version 0.0.4. */
  text(): string;
  stop(): void;
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const quantiles = [50, 90, 99, 100];
const resolution = 10;

/**
 * Measures this process. The quantiles of the event loop's delay are those since the last reading; Node measures the time between
 * two ticks of its timer, of which the timer's own interval is taken off here.
 */
export function serviceMetrics(): Metrics {
  const delay = monitorEventLoopDelay({ resolution });
  const requests = new Map<string, number>();
  let rate = { bytes: 0, clients: 0 };

  function family(name: string, type: 'counter' | 'gauge' | 'summary', help: string, samples: readonly (readonly [labels: string, value: number])[]): string {
    return [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(([labels, value]) => `${name}${labels} ${Number.isFinite(value) ? value : 0}`),
    ].join('\n');
  }

  return {
    begin: () => {
      delay.enable();
    },
    count: (method, status) => {
      const labels = `{method="${knownMethods.has(method) ? method : 'other'}",status="${Math.floor(status / 100)}xx"}`;
      requests.set(labels, (requests.get(labels) ?? 0) + 1);
    },
    rates: (bytes, clients) => {
      rate = { bytes, clients };
    },
    text: () => {
      const memory = process.memoryUsage();
      const cpu = process.cpuUsage();
      const text = [
        family('process_start_time_seconds', 'gauge', 'When the process started, seconds since 1970.', [
          ['', Math.round(Date.now() / 1000 - process.uptime())],
        ]),
        family('process_cpu_seconds_total', 'counter', 'Processor time used, user and system.', [['', (cpu.user + cpu.system) / 1e6]]),
        family('process_resident_memory_bytes', 'gauge', 'Memory held in RAM.', [['', memory.rss]]),
        family('nodejs_heap_size_used_bytes', 'gauge', 'JavaScript heap in use.', [['', memory.heapUsed]]),
        family('nodejs_external_memory_bytes', 'gauge', 'Memory of buffers outside of the heap.', [['', memory.external]]),
        family(
          'nodejs_eventloop_delay_seconds',
          'gauge',
          'Delay of the event loop since the last reading, by quantile.',
          quantiles.map((percent) => [`{quantile="${percent / 100}"}`, Math.max(0, delay.percentile(percent) / 1e9 - resolution / 1000)]),
        ),
        family('benchport_transfers_running', 'gauge', 'Transfers of measurements under way.', [['', rate.clients]]),
        family('benchport_transfer_bytes_per_second', 'gauge', 'Bytes sent by transfers in the last second.', [['', rate.bytes]]),
        family(
          'benchport_http_requests_total',
          'counter',
          'Answered requests by method and class of status.',
          [...requests.entries()].toSorted(([a], [b]) => a.localeCompare(b)),
        ),
      ].join('\n');
      delay.reset();
      return `${text}\n`;
    },
    stop: () => {
      delay.disable();
    },
  };
}
