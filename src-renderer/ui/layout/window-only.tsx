import type { ReactNode } from 'react';
import { EmptyState } from '../notes/empty-state.tsx';
import { useSession } from '../../context/context.ts';
import { Screen } from './screen.tsx';

/**
 * A screen that needs the machine itself, with its folders and its tokens for other servers, and is
 * not available in a browser.
 */
export function WindowOnly({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  if (useSession().door === 'window') return children;
  return (
    <Screen title={title}>
      <EmptyState title="This screen is available only in the Benchport window.">
        It works with folders on the machine that Benchport runs on.
      </EmptyState>
    </Screen>
  );
}
