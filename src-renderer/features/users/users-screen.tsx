import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { userPageSize } from '../../api/queries/account-queries.ts';
import { Cancelled, toApiError } from '../../api/requests/problem.ts';
import type { ManagedUser } from '../../api/requests/types.ts';
import { useApp, useCommand, useScreen, useSession, useToast } from '../../context/context.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { formatTotal } from '../../../src-shared/format/quantities.ts';
import { Pager } from '../../ui/lists/pager.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { noRows } from '../../ui/lists/row-selection.ts';
import { sortInAddress } from '../../ui/lists/sorted-rows.ts';
import { userInAddress } from '../tokens/all-tokens-search.ts';
import { BulkUsers } from './bulk-users.tsx';
import { UserDialogs, type AskedOfUser } from './user-dialogs.tsx';
import { CreateUserDialog } from './user-form.tsx';
import type { UserAction } from './user-menu.tsx';
import { UserTable } from './user-table.tsx';
import { NothingFound } from '../../ui/notes/nothing-found.tsx';
import { CommandButton } from '../../ui/controls/command-button.tsx';
import { FilterChoices } from '../../ui/layout/filter-choices.tsx';
import screen from '../../ui/layout/screen.module.css';
import { firstOrder, orderOf, type UsersSearch } from './users-search.ts';
import { useChosenRows, useRowCursor } from '../../ui/lists/use-chosen-rows.ts';

const states = [
  { value: undefined, word: 'All' },
  { value: 'active', word: 'Active' },
  { value: 'blocked', word: 'Blocked' },
] as const;

/** All accounts, for administrators. */
export function UsersScreen() {
  useScreen('users');
  const { queries, actions } = useApp();
  const session = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const navigate = useNavigate();
  const address = useSearch({ from: '/users' });
  const { search = '', state, page = 1 } = address;
  const sort = orderOf(address);
  const { data, error, refetch } = useQuery(
    queries.managedUsers({ search, state: state ?? null, sort: sort.by, order: sort.order, page }),
  );
  const [creating, setCreating] = useState(false);
  const [asked, setAsked] = useState<AskedOfUser | null>(null);
  const cursor = useRowCursor();
  useCommand('create-user', () => setCreating(true));

  const show = (next: UsersSearch): void => {
    const { page: _, ...kept } = address;
    const { page: nextPage = 1, search: text = '', ...rest } = { ...kept, ...next };
    void navigate({
      to: '/users',
      search: { ...rest, ...(text === '' ? {} : { search: text }), ...(nextPage > 1 ? { page: nextPage } : {}) },
      replace: true,
    });
  };
  const setState = (next: UsersSearch['state']): void => {
    const { page: _, state: __, ...kept } = address;
    void navigate({
      to: '/users',
      search: { ...kept, ...(next === undefined ? {} : { state: next }) },
      replace: true,
    });
  };
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['users'] });
  const runAction = async (act: (id: number) => Promise<unknown>, user: ManagedUser, done: string): Promise<void> => {
    try {
      await act(user.id);
      toast({ kind: 'plain', text: done });
      await refresh();
    } catch (failure) {
      if (!(failure instanceof Cancelled))
        toast({ kind: 'bad', text: `${user.username} was not changed`, detail: toApiError(failure).detail });
    }
  };
  const act = (action: UserAction, user: ManagedUser): void => {
    if (action === 'unblock') void runAction(actions.unblockUser, user, `${user.username} is unblocked`);
    else if (action === 'unlock') void runAction(actions.unblockUser, user, `${user.username} is unlocked`);
    else if (action === 'tokens') void navigate({ to: '/tokens', search: { user: userInAddress(user) } });
    else setAsked({ action, user });
  };
  const create = (
    <CommandButton look="primary" icon={<UserPlus aria-hidden />} command="create-user">
      Create user
    </CommandButton>
  );
  const users = data?.items ?? [];
  const chosen = useChosenRows(users.map(({ id }) => String(id)));
  const { selection } = chosen;

  return (
    <Screen
      title="Users"
      count={data === undefined ? undefined : formatTotal(data.total, data.more)}
      search={{ value: search, label: 'Search users', onChange: (text) => show({ search: text }) }}
      action={create}
    >
      <FilterChoices
        label="Which users"
        choices={states}
        chosen={state}
        onChoose={setState}
        className={screen['filter']}
      />
      <BulkUsers
        selected={users.filter(({ id }) => selection.ids.has(String(id)))}
        ownId={session.user?.id}
        onClear={() => chosen.onSelect(noRows)}
        onDone={refresh}
      />
      <NotLoaded of={{ data, error, refetch }} className={screen['note']} />
      {data === undefined ? null : users.length > 0 ? (
        <UserTable
          users={users}
          ownId={session.user?.id}
          {...cursor}
          {...sortInAddress(sort, firstOrder, show)}
          {...chosen}
          onAct={act}
        />
      ) : search === '' ? (
        <EmptyState
          icon={<Users aria-hidden />}
          title={state === 'blocked' ? 'Nobody is blocked.' : 'There are no users here.'}
        />
      ) : (
        <NothingFound what="user" search={search} onClear={() => void navigate({ to: '/users', search: {} })} />
      )}
      <Pager of={data} page={page} pageSize={userPageSize} onPage={(next) => show({ page: next })} />
      <CreateUserDialog open={creating} onClose={() => setCreating(false)} onSaved={refresh} />
      <UserDialogs asked={asked} onClose={() => setAsked(null)} onDone={refresh} />
    </Screen>
  );
}
