import { createStore } from 'zustand/vanilla';
import { Cancelled } from '../../api/problem.ts';

/** The service waits to be told again who asks: how that ends. */
interface IdentityRequest {
  readonly confirmed: () => void;
  readonly cancelled: () => void;
}

/** Asks for the password in front of whatever is shown; everything that asks at the same time is answered at once. */
export function createIdentityRequests() {
  const store = createStore<{ pending: IdentityRequest | null }>()(() => ({ pending: null }));
  let answer: Promise<void> | null = null;

  function ask(): Promise<void> {
    answer ??= new Promise<void>((resolve, reject) => {
      const end = (): void => {
        answer = null;
        store.setState({ pending: null });
      };
      store.setState({
        pending: {
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
    return answer;
  }

  return { store, ask };
}

export type IdentityRequests = ReturnType<typeof createIdentityRequests>;
