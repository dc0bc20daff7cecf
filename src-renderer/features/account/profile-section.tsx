import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../api/requests/types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { EditUserDialog } from '../users/user-form.tsx';
import { Fact } from '../../ui/figures/fact.tsx';
import { Section } from './section.tsx';
import facts from '../../ui/styles/facts.module.css';

/** Name and address. Administrators change their own; others need an administrator. */
export function ProfileSection({ account: { user } }: { readonly account: Account }) {
  const client = useQueryClient();
  const [editing, setEditing] = useState(false);
  return (
    <Section
      title="Name and address"
      about={user.is_admin ? undefined : 'An administrator can change the name and the e-mail address.'}
    >
      <dl className={facts['plain']}>
        <Fact term="User name">{user.username}</Fact>
        <Fact term="Full name">{user.name}</Fact>
        <Fact term="E-mail address">{user.email ?? 'none'}</Fact>
        <Fact term="Role">{user.is_admin ? 'administrator' : 'user'}</Fact>
        <Fact term="Created">
          <Moment at={user.created_at} />
        </Fact>
      </dl>
      {user.is_admin ? (
        <div className="row">
          <Button onClick={() => setEditing(true)}>Change name or address</Button>
        </div>
      ) : null}
      <EditUserDialog
        user={editing ? user : null}
        own
        onClose={() => setEditing(false)}
        onSaved={() =>
          Promise.all([
            client.invalidateQueries({ queryKey: ['account'] }),
            client.invalidateQueries({ queryKey: ['session'] }),
          ])
        }
      />
    </Section>
  );
}
