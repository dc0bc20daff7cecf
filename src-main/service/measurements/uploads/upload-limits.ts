import { HttpProblem } from '../../common/problem.ts';

const maxPerUser = 16;
const maxTogether = 128;

/** Bounds the requests that send uploads at the same time, of each user and of all together. */
export class UploadLimits {
  readonly #byUser = new Map<number, number>();
  #together = 0;

  /** @throws HttpProblem 429 when too many run. */
  async within<Result>(userId: number, work: () => Promise<Result>): Promise<Result> {
    const own = (this.#byUser.get(userId) ?? 0) + 1;
    if (own > maxPerUser || this.#together >= maxTogether)
      throw new HttpProblem(429, 'Too many uploads are running. Go on when others have ended.', {
        type: 'too-many-uploads',
        headers: { 'retry-after': '10' },
      });
    this.#byUser.set(userId, own);
    this.#together += 1;
    try {
      return await work();
    } finally {
      this.#together -= 1;
      const left = (this.#byUser.get(userId) ?? 1) - 1;
      if (left > 0) this.#byUser.set(userId, left);
      else this.#byUser.delete(userId);
    }
  }
}
