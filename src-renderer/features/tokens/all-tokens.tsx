import { BulkTokens } from './bulk-tokens.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { tokenPageSize } from '../../api/queries/account-queries.ts';
import { ApiError } from '../../api/requests/problem.ts';
import type { ListedToken } from '../../api/requests/types.ts';
import { useApp, useCommand, useScreen } from '../../context/context.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { formatTotal } from '../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { noRows } from '../../ui/lists/row-selection.ts';
import { FilterChoices } from '../../ui/layout/filter-choices.tsx';
import screen from '../../ui/layout/screen.module.css';
import { sortInAddress } from '../../ui/lists/sorted-rows.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { useStable } from '../../ui/hooks/use-stable.ts';
import { UserFilter } from '../../ui/controls/filter-fields.tsx';
import { firstOrder, listQueryOf, orderOf, type AllTokensSearch } from './all-tokens-search.ts';
import { RevokeTokensDialog } from './revoke-tokens-dialog.tsx';
import { TokensSwitch } from './tokens-switch.tsx';
import { TokenTable } from './token-table.tsx';
import filters from '../../ui/controls/filter-fields.module.css';
import styles from './token-table.module.css';
import { useChosenRows, useRowCursor } from '../../ui/lists/use-chosen-rows.ts';

const states = [
  { value: undefined, word: 'Active' },
  { value: 'inactive', word: 'Revoked or expired' },
] as const;

/**
 * Tokens of all users, for administrators, without the secrets. Page, order and filters are in the
 * address.
 */
export function AllTokens() {
  useScreen('tokens');
  const { queries } = useApp();
  const client = useQueryClient();
  const navigate = useNavigate();
  const now = useNow();
  const address: AllTokensSearch = useSearch({ from: '/tokens' });
  const { search = '', user = '', state, page = 1 } = address;
  const sort = orderOf(address);
  const { data, error, refetch } = useQuery(queries.allTokens(listQueryOf(address)));
  const tokens = data?.items ?? [];
  const cursor = useRowCursor();
  const chosen = useChosenRows(tokens.map(({ id }) => String(id)));
  const { selection } = chosen;
  const [revoking, setRevoking] = useState<readonly ListedToken[]>([]);
  const several = tokens.filter(({ id, active }) => active && selection.ids.has(String(id)));
  const revokeMany = several.length > 1 ? () => setRevoking(several) : null;
  const currentToken = tokens.find(({ id, active }) => active && id === cursor.current);
  useCommand('revoke-token', revokeMany ?? (currentToken === undefined ? null : () => setRevoking([currentToken])));

  const show = useStable((next: Omit<AllTokensSearch, 'state'> & { readonly state?: 'inactive' | undefined }): void => {
    const {
      page: nextPage,
      search: text = '',
      user: whose = '',
      state: of,
      sort: by,
      order,
    } = { ...address, page: 1, ...next };
    void navigate({
      to: '/tokens',
      search: {
        ...(whose === '' ? { all: true } : { user: whose }),
        ...(text === '' ? {} : { search: text }),
        ...(of === undefined ? {} : { state: of }),
        ...(by === undefined ? {} : { sort: by }),
        ...(order === undefined ? {} : { order }),
        ...(nextPage > 1 ? { page: nextPage } : {}),
      },
      replace: true,
    });
  });
  const setUser = useStable((next: string) => show({ user: next }));
  const unknownUser = user !== '' && error instanceof ApiError && error.status === 404;

  return (
    <Screen
      title="Tokens"
      count={data === undefined ? undefined : formatTotal(data.total, data.more)}
      search={{ value: search, label: 'Search tokens', onChange: (text) => show({ search: text }) }}
    >
      <div className={`${screen['filter']} ${filters['controls']} ${styles['bar']}`}>
        <TokensSwitch all />
        <FilterChoices
          label="Which tokens"
          choices={states}
          chosen={state}
          onChoose={(next) => show({ state: next })}
        />
        <UserFilter user={user} suggests onChange={setUser} />
      </div>
      <BulkTokens count={selection.ids.size} onRevoke={revokeMany} onClear={() => chosen.onSelect(noRows)} />
      {unknownUser ? (
        <EmptyState
          title={`There is no user “${user}”.`}
          action={<Button onClick={() => show({ user: '' })}>Show everybody’s tokens</Button>}
        />
      ) : (
        <NotLoaded of={{ data, error, refetch }} className={screen['note']} />
      )}
      {data === undefined ? null : tokens.length > 0 ? (
        <TokenTable
          tokens={tokens}
          withOwner
          now={now}
          {...cursor}
          {...sortInAddress(sort, firstOrder, show)}
          {...chosen}
          onRevoke={(token) => setRevoking([token])}
        />
      ) : (
        <NoTokens address={address} onClear={() => show({ search: '', user: '' })} />
      )}
      <Pager of={data} page={page} pageSize={tokenPageSize} onPage={(next) => show({ page: next })} />
      <RevokeTokensDialog
        tokens={revoking}
        withOwner
        onClose={() => setRevoking([])}
        onDone={async () => {
          chosen.onSelect(noRows);
          await client.invalidateQueries({ queryKey: ['tokens'] });
        }}
      />
    </Screen>
  );
}

/** Explains why the list is empty, and links to a longer one. */
function NoTokens({ address, onClear }: { readonly address: AllTokensSearch; readonly onClear: () => void }) {
  const { search = '', user = '', state } = address;
  const words = state === 'inactive' ? 'revoked or expired token' : 'active token';
  const whose = user === '' ? '' : ` of ${user}`;
  const filtered = search !== '' || user !== '';
  return (
    <EmptyState
      icon={<KeyRound aria-hidden />}
      title={search === '' ? `There is no ${words}${whose}.` : `No ${words}${whose} has a name with “${search}”.`}
      action={filtered ? <Button onClick={onClear}>Show everybody’s tokens</Button> : undefined}
    />
  );
}
