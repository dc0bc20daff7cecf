import { createStore } from 'zustand/vanilla';
import { Cancelled } from '../api/requests/problem.ts';
import type { Proof } from '../api/requests/request.ts';

/** The service requires a confirmation of identity: by which proof, and how to settle it. */
interface IdentityRequest {
  readonly proof: Proof;
  readonly confirmed: () => void;
  readonly cancelled: () => void;
}

/**
 * Asks for a proof in front of the current screen; all requests for the same proof are settled
 * together.
 */
export function createIdentityRequests() {
  const store = createStore<{ pending: IdentityRequest | null }>()(() => ({ pending: null }));
  let asked: { readonly proof: Proof; readonly answer: Promise<void> } | null = null;

  async function ask(proof: Proof): Promise<void> {
    if (asked?.proof === proof) return asked.answer;
    // One dialog at a time: a request for another proof waits for the first to settle.
    if (asked !== null) return asked.answer.catch(() => undefined).then(() => ask(proof));
    const answer = new Promise<void>((resolve, reject) => {
      const end = (): void => {
        asked = null;
        store.setState({ pending: null });
      };
      store.setState({
        pending: {
          proof,
          confirmed: () => {
            end();
            resolve();
          },
          cancelled: () => {
            end();
            reject(new Cancelled());
          },
        },
      });
    });
    asked = { proof, answer };
    return answer;
  }

  return { store, ask };
}

export type IdentityRequests = ReturnType<typeof createIdentityRequests>;
