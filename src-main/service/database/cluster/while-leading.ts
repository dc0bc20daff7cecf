import type { Cluster } from './cluster.ts';

/** Ends work, and waits for what is under way. */
type End = () => void | Promise<void>;

// The lease of a leader that died lasts for seconds; this adds little to it.
const lookEveryMs = 250;

/**
 * Runs work that one process does for all: at once and for good where one process serves alone,
 * otherwise from when this replica leads until another one does.
 *
 * @param begin starts the work and returns what ends it.
 * @returns a function that ends it.
 */
export function whileLeading(cluster: Pick<Cluster, 'replica' | 'leads'>, begin: () => End): () => Promise<void> {
  if (cluster.replica() === null) {
    const end = begin();
    return async () => end();
  }
  let end: End | null = null;
  let ending: Promise<void> | null = null;
  async function finish(): Promise<void> {
    const work = end;
    end = null;
    await work?.();
    ending = null;
  }
  const look = (): void => {
    if (ending !== null) return;
    if (cluster.leads()) end ??= begin();
    else if (end !== null) ending = finish();
  };
  look();
  const timer = setInterval(look, lookEveryMs);
  return async () => {
    clearInterval(timer);
    await ending;
    await finish();
  };
}
