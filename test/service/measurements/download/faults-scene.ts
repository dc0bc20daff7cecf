import { useTestService, useUser } from '../../use-service.ts';

/** A service with a user who downloads what the test makes. */
export function useDownloads() {
  const service = useTestService();
  const alice = useUser(service, 'alice');

  const ask = (where: string, headers: Record<string, string> = {}) => alice.get(where, headers);

  /** The service's current report on a measurement and its files. */
  async function stateOf(
    id: string,
  ): Promise<{ state: string; problems: { index: number; state: string; problem: string }[] }> {
    const detail = (await (await ask(`/api/v4/measurements/${id}`)).json()) as { state: string };
    const page = (await (await ask(`/api/v4/measurements/${id}/files?problems=true`)).json()) as {
      files: { index: number; state: string; problem: string }[];
    };
    return {
      state: detail.state,
      problems: page.files.map(({ index, state, problem }) => ({ index, state, problem })),
    };
  }

  async function outcomes(id: string): Promise<(string | null)[]> {
    const rows = (await (await ask(`/api/v4/measurements/${id}/transfers`)).json()) as { outcome: string | null }[];
    return rows.map((row) => row.outcome);
  }

  return { service, alice, ask, stateOf, outcomes };
}
