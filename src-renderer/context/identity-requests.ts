import { createStore } from 'zustand/vanilla';
import { Cancelled } from '../api/requests/problem.ts';
import type { Proof } from '../api/requests/request.ts';

/** The service waits to be told again who asks: by what, and how that ends. */
interface IdentityRequest {
  readonly proof: Proof;
  readonly confirmed: () => void;
  readonly cancelled: () => void;
}

/** Asks for a proof in front of whatever is shown; everything that asks for the same at the same time is answered at once. */
export function createIdentityRequests() {
  const store = createStore<{ pending: IdentityRequest | null }>()(() => ({ pending: null }));
  let asked: { readonly proof: Proof; readonly answer: Promise<void> } | null = null;

  async function ask(proof: Proof): Promise<void> {
    if (asked?.proof === proof) return asked.answer;
    // One dialog at a time: what needs another proof waits for the first, however that ends.
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
