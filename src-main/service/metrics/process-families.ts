import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { single, type Family } from './metric-text.ts';

export interface ProcessFamilies {
  /** Starts to measure the delay of the event loop. */
  begin(): void;
  families(): Promise<readonly Family[]>;
  stop(): void;
}

const quantiles = [50, 90, 99, 100];
const resolution = 10;

/**
 * Measures this process. Quantiles of the event loop's delay refer to the time since the last
 * reading. Node measures the time between two ticks of its timer, from which the timer's own
 * interval is subtracted here.
 */
export function processFamilies(): ProcessFamilies {
  const delay = monitorEventLoopDelay({ resolution });
  // Quantiles restart with each reading; sum and count must not.
  let [sum, count] = [0, 0];

  function delayFamily(): Family {
    const seconds = (nanoseconds: number) =>
      Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - resolution / 1000) : 0;
    sum += seconds(delay.mean) * delay.count;
    count += delay.count;
    const samples = quantiles.map((percent) => ({
      labels: { quantile: String(percent / 100) },
      value: seconds(delay.percentile(percent)),
    }));
    delay.reset();
    return {
      name: 'nodejs_eventloop_delay_seconds',
      type: 'summary',
      help: 'Delay of the event loop; the quantiles are of the time since the last reading.',
      samples: [...samples, { labels: {}, value: sum, suffix: '_sum' }, { labels: {}, value: count, suffix: '_count' }],
    };
  }

  return {
    begin: () => void delay.enable(),
    families: async () => {
      const memory = process.memoryUsage();
      const cpu = process.cpuUsage();
      // Linux only; null elsewhere.
      const descriptors = await readdir('/proc/self/fd').catch(() => null);
      return [
        single(
          'process_start_time_seconds',
          'gauge',
          'When the process started, seconds since 1970.',
          Math.round(Date.now() / 1000 - process.uptime()),
        ),
        single(
          'process_cpu_seconds_total',
          'counter',
          'Processor time used, user and system.',
          (cpu.user + cpu.system) / 1e6,
        ),
        single('process_resident_memory_bytes', 'gauge', 'Memory held in RAM.', memory.rss),
        ...(descriptors === null
          ? []
          : [single('process_open_fds', 'gauge', 'Open files, sockets and the like.', descriptors.length)]),
        single('nodejs_heap_size_used_bytes', 'gauge', 'JavaScript heap in use.', memory.heapUsed),
        single('nodejs_external_memory_bytes', 'gauge', 'Memory of buffers outside of the heap.', memory.external),
        delayFamily(),
      ];
    },
    stop: () => void delay.disable(),
  };
}
