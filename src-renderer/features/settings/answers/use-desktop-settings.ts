import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Desktop } from '../../../context/desktop.ts';
import type { Saving } from './auto-save.ts';

export type DesktopSettings = Awaited<ReturnType<Desktop['getDesktopSettings']>>;
export type DesktopSettingsChange = Parameters<Desktop['setDesktopSettings']>[0];

/**
 * The desktop settings and how to change them. A change is displayed at once, before the system
 * confirms it.
 */
export function useDesktopSettings(desktop: Desktop) {
  const client = useQueryClient();
  const options = queryOptions({ queryKey: ['desktop-settings'], queryFn: async () => desktop.getDesktopSettings() });
  const settings = useQuery(options);
  const [wanted, setWanted] = useState<DesktopSettingsChange>({});
  const [saving, setSaving] = useState<Saving>('quiet');
  const [failure, setFailure] = useState<unknown>(null);

  async function change(next: DesktopSettingsChange): Promise<void> {
    setWanted(next);
    setSaving('saving');
    setFailure(null);
    try {
      client.setQueryData(options.queryKey, await desktop.setDesktopSettings(next));
      setSaving('saved');
    } catch (error) {
      setSaving('quiet');
      setFailure(error);
    } finally {
      setWanted({});
    }
  }

  const { data } = settings;
  const shown: DesktopSettings | undefined = data && {
    ...data,
    ...wanted,
    notifications: { ...data.notifications, ...wanted.notifications },
    updates: { ...data.updates, ...wanted.updates },
  };
  return { shown, saving, failure: failure ?? settings.error, change };
}
