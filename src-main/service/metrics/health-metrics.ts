import type { Counters } from './counters.ts';
import { byLabel, metricText, single, type Family } from './metric-text.ts';
import { processFamilies } from './process-families.ts';

export interface Metrics {
  /**
   * Starts to measure the delay of the event loop. Not done earlier, because the start of the
   * application takes one long turn in which no requests wait.
   */
  begin(): void;
  /** Counts a request that was responded to. */
  count(method: string, status: number): void;
  /** Sets the transfer rates, reported once a second while a transfer runs. */
  rates(bytesPerSecond: number, clients: number): void;
  /** Returns the metrics in Prometheus' text format, version 0.0.4. */
  text(): Promise<string>;
  stop(): void;
}

export interface MetricsDeps {
  readonly counters: Counters;
  readonly version: string;
  /** Metrics about stored data. */
  readonly stored: () => Promise<readonly Family[]>;
  /** Open connections by listener. */
  readonly connections: () => Promise<readonly (readonly [listener: string, connections: number])[]>;
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Creates the metrics of this service. */
export function serviceMetrics(deps: MetricsDeps): Metrics {
  const ofProcess = processFamilies();
  const requests = new Map<string, { readonly method: string; readonly status: string; count: number }>();
  let rate = { bytes: 0, clients: 0 };

  async function ownFamilies(): Promise<readonly Family[]> {
    const { version } = deps;
    return [
      {
        name: 'benchport_build_info',
        type: 'gauge',
        help: 'Always 1; the labels say what runs.',
        samples: [
          {
            labels: { version, node: process.versions.node, platform: process.platform, arch: process.arch },
            value: 1,
          },
        ],
      },
      byLabel('benchport_connections', 'gauge', 'Open connections by listener.', 'listener', await deps.connections()),
      {
        name: 'benchport_http_requests_total',
        type: 'counter',
        help: 'Answered requests by method and class of status.',
        samples: [...requests.values()].map(({ method, status, count }) => ({
          labels: { method, status },
          value: count,
        })),
      },
      single('benchport_transfers_running', 'gauge', 'Transfers of measurements under way.', rate.clients),
      single('benchport_transfer_bytes_per_second', 'gauge', 'Bytes sent by transfers in the last second.', rate.bytes),
    ];
  }

  return {
    begin: () => ofProcess.begin(),
    count: (method, status) => {
      const name = knownMethods.has(method) ? method : 'other';
      const group = `${Math.floor(status / 100)}xx`;
      const known = requests.get(name + group);
      if (known) known.count += 1;
      else requests.set(name + group, { method: name, status: group, count: 1 });
    },
    rates: (bytes, clients) => {
      rate = { bytes, clients };
    },
    text: async () =>
      metricText([
        ...(await ownFamilies()),
        ...deps.counters.families(),
        ...(await deps.stored()),
        ...(await ofProcess.families()),
      ]),
    stop: () => ofProcess.stop(),
  };
}
