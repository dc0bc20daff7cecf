import type { Run } from './clients.ts';
import { watchLoad } from './machine-load.ts';
import type { Server } from './servers/server.ts';
import { spreadOf, type Spread } from './statistics.ts';

/** One of the variants measured side by side. */
export interface Variant {
  readonly name: string;
  /** The server whose processor time is counted. */
  readonly server: Server;
  run(round: number): Promise<Run>;
}

export interface Measured {
  readonly name: string;
  /** One run for each counted round. */
  readonly runs: readonly Run[];
  readonly bytesPerSecond: readonly number[];
  readonly requestsPerSecond: readonly number[];
  /** Share of the machine's processor time that other programs used, for each round. */
  readonly disturbance: readonly number[];
  /** Processor seconds of the server for each GB sent. */
  readonly cpuPerGigabyte: Spread;
  /** Processor seconds of the server for each request. */
  readonly cpuPerRequest: Spread;
  /** The figures of each round of which that is the spread. */
  readonly cpuPerRequestOfRounds: readonly number[];
}

/** Measures every variant once a round, in turn; the first round warms up and is not counted. */
export async function measureInTurn(
  variants: readonly Variant[],
  rounds: number,
): Promise<ReadonlyMap<string, Measured>> {
  const all = variants.map((variant) => ({
    variant,
    runs: [] as Run[],
    cpu: [] as number[],
    cpuOfRequest: [] as number[],
    disturbance: [] as number[],
  }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of all) {
      const before = one.variant.server.cpuSeconds();
      const load = watchLoad();
      const run = await one.variant.run(round);
      if (round === 0) continue;
      const used = one.variant.server.cpuSeconds() - before;
      one.runs.push(run);
      one.cpu.push(used / (run.bytes / 1e9));
      one.cpuOfRequest.push(used / run.requests);
      one.disturbance.push(load.othersSince(used));
    }
  }
  return new Map(
    all.map(({ variant, runs, cpu, cpuOfRequest, disturbance }) => [
      variant.name,
      {
        name: variant.name,
        runs,
        bytesPerSecond: runs.map((run) => run.bytes / run.seconds),
        requestsPerSecond: runs.map((run) => run.requests / run.seconds),
        disturbance,
        cpuPerGigabyte: spreadOf(cpu),
        cpuPerRequest: spreadOf(cpuOfRequest),
        cpuPerRequestOfRounds: cpuOfRequest,
      },
    ]),
  );
}
