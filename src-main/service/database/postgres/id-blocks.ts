import type { Pool } from 'pg';
import type { IdSource } from '../id-source.ts';

/** Ids that a replica takes at once; the increment of the sequence. */
const idsPerBlock = 10_000;

/**
 * Ids in blocks, each for one replica. The next block is fetched before the current one ends.
 *
 * @param sequence whose values are the first ids of blocks.
 */
export async function idBlocks(
  writing: Pool,
  sequence: string,
  onError: (error: unknown, message: string) => void,
): Promise<IdSource> {
  const fetchBlock = async (): Promise<number> => {
    const { rows } = await writing.query<{ first: number }>(`SELECT nextval('${sequence}') AS first`);
    return rows[0]?.first ?? 0;
  };
  let next = await fetchBlock();
  let end = next + idsPerBlock;
  let ahead: number | null = null;
  let fetching = false;

  function prepareNext(): void {
    if (fetching || ahead !== null) return;
    fetching = true;
    fetchBlock()
      .then((first) => {
        ahead = first;
      })
      .catch((error: unknown) => onError(error, 'no new ids'))
      .finally(() => {
        fetching = false;
      });
  }

  return {
    next: () => {
      if (end - next < idsPerBlock / 2) prepareNext();
      if (next === end) {
        if (ahead === null) throw new Error('no ids are left until the database answers');
        [next, end, ahead] = [ahead, ahead + idsPerBlock, null];
      }
      next += 1;
      return next - 1;
    },
  };
}
