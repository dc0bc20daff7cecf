import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { useSession } from './context.ts';

/** A screen whose data the service gives to administrators alone: others are told so rather than shown a refusal. */
export function AdministratorsOnly({ children }: { readonly children: ReactNode }) {
  if (useSession().user?.is_admin === true) return children;
  return <EmptyState title="This page is for administrators." action={<Link to="/measurements">Go to Measurements</Link>} />;
}
