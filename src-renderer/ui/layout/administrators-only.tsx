import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../notes/empty-state.tsx';
import { useSession } from '../../context/context.ts';
import { Screen } from './screen.tsx';

/** A screen for administrators only: others get an explanation instead of the service's refusal. */
export function AdministratorsOnly({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  if (useSession().user?.is_admin === true) return children;
  return (
    <Screen title={title}>
      <EmptyState
        title="This page is for administrators."
        action={<Link to="/measurements">Go to Measurements</Link>}
      />
    </Screen>
  );
}
