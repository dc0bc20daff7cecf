import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useApp } from '../../context/context.ts';

/** Goes where a link to Benchport, a notification or the tray leads. What it may be is decided in the main process; here it can only be a screen. */
export function useDesktopRoutes(): void {
  const { desktop } = useApp();
  const router = useRouter();
  useEffect(() => desktop?.onNavigate((route) => router.history.push(`/ui${route}`)), [desktop, router]);
}
