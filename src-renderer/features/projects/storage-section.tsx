import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '../../api/requests/types.ts';
import { useApp, useSession } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { Section } from '../account/section.tsx';
import { QuotaDialog } from '../quotas/quota-dialog.tsx';
import { QuotaUse } from '../quotas/quota-use.tsx';

const about =
  'All measurements in the library that are shared with the project. Files that are registered where they lie take nothing.';

/** The space that the measurements of a project take; administrators change its limit. */
export function StorageSection({ project: { path } }: { readonly project: Project }) {
  const { queries, actions } = useApp();
  const isAdministrator = useSession().user?.is_admin === true;
  const [editing, setEditing] = useState(false);
  const quota = useQuery(queries.projectQuota(path));
  return (
    <Section title="Storage" about={about}>
      <NotLoaded of={quota} />
      {quota.data === undefined ? null : <QuotaUse quota={quota.data} label={`Storage of ${path}`} />}
      {isAdministrator ? (
        <div>
          <Button onClick={() => setEditing(true)}>Change the limit…</Button>
        </div>
      ) : null}
      {editing ? (
        <QuotaDialog
          name={path}
          about={about}
          query={queries.projectQuota(path)}
          save={(bytes) => actions.setProjectQuota(path, bytes)}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </Section>
  );
}
