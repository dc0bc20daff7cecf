/**
 * p99 of the delay of a service's event loop since the last call, milliseconds.
 *
 * @param token of an administrator, with a scope for metrics.
 */
export async function loopDelayOf(url: string, token: string): Promise<number> {
  const response = await fetch(new URL('/-/metrics', url), { headers: { authorization: `Bearer ${token}` } });
  const seconds = /^nodejs_eventloop_delay_seconds\{quantile="0\.99"\} (\S+)$/m.exec(await response.text())?.[1];
  if (seconds === undefined) throw new Error(`no event-loop delay among the metrics (${response.status})`);
  return Number(seconds) * 1000;
}
