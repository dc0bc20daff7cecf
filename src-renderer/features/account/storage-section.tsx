import { useQuery } from '@tanstack/react-query';
import { useApp } from '../../context/context.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { QuotaUse } from '../quotas/quota-use.tsx';
import { Section } from './section.tsx';

/** The space that the user's own measurements take, and its limit. */
export function StorageSection() {
  const quota = useQuery(useApp().queries.ownQuota());
  return (
    <Section
      title="Storage"
      about="What your measurements in the library take. Files that are registered where they lie take nothing."
    >
      <NotLoaded of={quota} />
      {quota.data === undefined ? null : <QuotaUse quota={quota.data} label="Your storage" />}
    </Section>
  );
}
