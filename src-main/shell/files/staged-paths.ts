import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

const staged = Compile(
  Type.Object({
    path: Type.Union([Type.String(), Type.Null()]),
    job: Type.Union([Type.Object({ id: Type.Integer() }), Type.Null()]),
  }),
);
const endedJob = Compile(Type.Object({ state: Type.Literal('done'), result: Type.String() }));
const stageRoute = /^\/api\/v4\/local\/(measurements|fetches)\/[^/]+\/stage$/;
const maxRemembered = 1000;

/**
 * Tracks which paths may be dragged out of the window: only those that the service itself returned
 * for a request to stage something. The page is not trusted.
 */
export class StagedPaths {
  readonly #paths = new Set<string>();
  readonly #jobs = new Set<number>();

  /** True for the requests whose responses must be passed to `observe`. */
  static concerns(method: string, pathname: string): boolean {
    return method === 'POST' && stageRoute.test(pathname);
  }

  /**
   * Records the service's response to a request to stage: a path that is ready, or the job that
   * will make one.
   */
  observe(response: unknown): void {
    if (!staged.Check(response)) return;
    if (response.path !== null) remember(this.#paths, response.path);
    if (response.job !== null) remember(this.#jobs, response.job.id);
  }

  /**
   * Whether the service staged this path. Queries the jobs that had not ended when they were
   * recorded.
   */
  async includes(path: string, sendToService: (path: string) => Promise<unknown>): Promise<boolean> {
    if (this.#paths.has(path)) return true;
    for (const id of this.#jobs) {
      const job = await sendToService(`/api/v4/jobs/${id}`).catch(() => undefined);
      if (!endedJob.Check(job)) continue;
      this.#jobs.delete(id);
      remember(this.#paths, job.result);
    }
    return this.#paths.has(path);
  }
}

function remember<T>(values: Set<T>, value: T): void {
  values.add(value);
  const [oldest] = values;
  if (values.size > maxRemembered && oldest !== undefined) values.delete(oldest);
}
