import { BulkTokens } from './bulk-tokens.tsx';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { PersonalAccessToken } from '../../api/requests/types.ts';
import { useApp, useCommand, useScreen, useSession } from '../../context/context.ts';
import { AdministratorsOnly } from '../../ui/layout/administrators-only.tsx';
import { matchWords } from '../../ui/lists/match-words.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { noRows } from '../../ui/lists/row-selection.ts';
import { useSortedRows } from '../../ui/lists/sorted-rows.ts';
import { useStable } from '../../ui/hooks/use-stable.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { AllTokens } from './all-tokens.tsx';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { RotateTokenDialog } from './rotate-token-dialog.tsx';
import { RevokeTokensDialog } from './revoke-tokens-dialog.tsx';
import { prefillOf } from './token-prefill.ts';
import { TokenTable, tokenSorts } from './token-table.tsx';
import { TokensSwitch } from './tokens-switch.tsx';
import { NothingFound } from '../../ui/notes/nothing-found.tsx';
import { CommandButton } from '../../ui/controls/command-button.tsx';
import { FilterChoices } from '../../ui/layout/filter-choices.tsx';
import filters from '../../ui/controls/filter-fields.module.css';
import styles from './token-table.module.css';
import screen from '../../ui/layout/screen.module.css';
import { useChosenRows, useRowCursor } from '../../ui/lists/use-chosen-rows.ts';

/**
 * Personal access tokens, with which lab machines and scripts sign in: the user's own, or those of
 * all users where the address asks for them.
 */
export function TokensScreen() {
  const { all, user } = useSearch({ from: '/tokens' });
  if (all === undefined && user === undefined) return <OwnTokens />;
  return (
    <AdministratorsOnly title="Tokens">
      <AllTokens />
    </AdministratorsOnly>
  );
}

function OwnTokens() {
  useScreen('tokens');
  const { queries } = useApp();
  const isAdmin = useSession().user?.is_admin === true;
  const now = useNow();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(queries.tokens(useSession().user?.id ?? 0));
  const address = useSearch({ from: '/tokens' });
  const { search = '' } = address;
  const setSearch = useStable(
    (text: string) => void navigate({ to: '/tokens', search: text === '' ? {} : { search: text }, replace: true }),
  );
  const [inactive, setInactive] = useState(false);
  const [creating, setCreating] = useState(false);
  const [rotating, setRotating] = useState<PersonalAccessToken | null>(null);
  const [revoking, setRevoking] = useState<PersonalAccessToken | null>(null);
  useCommand('create-token', () => setCreating(true));

  const ofState = useMemo(() => (data ?? []).filter((token) => token.active !== inactive), [data, inactive]);
  const sorted = useSortedRows(ofState, tokenSorts, { by: 'created', order: 'desc' });
  const shown = sorted.rows.filter((token) =>
    matchWords(`${token.name} ${token.description} ${token.scopes.join(' ')}`, search),
  );
  const inactiveCount = (data ?? []).filter((token) => !token.active).length;
  const cursor = useRowCursor();
  const currentToken = shown.find((token) => token.id === cursor.current && token.active);
  useCommand('rotate-token', currentToken === undefined ? null : () => setRotating(currentToken));
  const chosen = useChosenRows(shown.map(({ id }) => String(id)));
  const { selection } = chosen;
  const several = shown.filter(({ id, active }) => active && selection.ids.has(String(id)));
  const [revokingMany, setRevokingMany] = useState<readonly PersonalAccessToken[]>([]);
  const revokeMany = several.length > 1 ? () => setRevokingMany(several) : null;
  useCommand('revoke-token', revokeMany ?? (currentToken === undefined ? null : () => setRevoking(currentToken)));

  // The palette can open the confirmation for a token by its number.
  const asked = address.revoke;
  const asking =
    revoking ?? (asked === undefined ? null : (data?.find((token) => token.id === asked && token.active) ?? null));
  const closeAsking = (): void => {
    setRevoking(null);
    setRevokingMany([]);
    if (asked !== undefined) void navigate({ to: '/tokens', search: search === '' ? {} : { search }, replace: true });
  };
  // A link can open the form for a new token, as in GitLab.
  const prefill = useMemo(
    () =>
      prefillOf({
        ...(address.name === undefined ? {} : { name: address.name }),
        ...(address.scopes === undefined ? {} : { scopes: address.scopes }),
      }),
    [address.name, address.scopes],
  );
  const closeCreating = (): void => {
    setCreating(false);
    if (prefill !== null) void navigate({ to: '/tokens', search: {}, replace: true });
  };
  const afterRevoking = async (): Promise<void> => {
    if (asking === null) chosen.onSelect(noRows);
    await refetch();
  };
  const create = (
    <CommandButton look="primary" icon={<KeyRound aria-hidden />} command="create-token">
      Create token
    </CommandButton>
  );

  return (
    <Screen
      title="Tokens"
      count={data === undefined ? undefined : formatCount(data.length - inactiveCount)}
      search={{ value: search, label: 'Search tokens', onChange: setSearch }}
      action={create}
    >
      {inactiveCount === 0 && !isAdmin ? null : (
        <div className={`${screen['filter']} ${filters['controls']} ${styles['bar']}`}>
          <TokensSwitch all={false} />
          {inactiveCount === 0 ? null : (
            <FilterChoices
              label="Which tokens"
              choices={[
                { value: false, word: `Active ${formatCount((data ?? []).length - inactiveCount)}` },
                { value: true, word: `Revoked or expired ${formatCount(inactiveCount)}` },
              ]}
              chosen={inactive}
              onChoose={setInactive}
            />
          )}
        </div>
      )}
      <BulkTokens count={selection.ids.size} onRevoke={revokeMany} onClear={() => chosen.onSelect(noRows)} />
      <NotLoaded of={{ data, error, refetch }} className={screen['note']} />
      {data === undefined ? null : shown.length > 0 ? (
        <TokenTable
          tokens={shown}
          now={now}
          {...cursor}
          sort={sorted.sort}
          onSort={sorted.onSort}
          {...chosen}
          onRotate={setRotating}
          onRevoke={setRevoking}
        />
      ) : search === '' ? (
        <EmptyState
          icon={<KeyRound aria-hidden />}
          title={
            inactive
              ? 'No token has been revoked or has expired.'
              : 'A token lets a lab machine or a script fetch measurements as you.'
          }
          action={inactive ? undefined : create}
        >
          {inactive ? null : 'Give each machine its own, so you can revoke one without the others.'}
        </EmptyState>
      ) : (
        <NothingFound what="token" search={search} onClear={() => setSearch('')} />
      )}
      <CreateTokenDialog
        open={creating || prefill !== null}
        prefill={prefill}
        onClose={closeCreating}
        onCreated={() => void refetch()}
      />
      <RotateTokenDialog token={rotating} onClose={() => setRotating(null)} onRotated={() => void refetch()} />
      <RevokeTokensDialog
        tokens={asking === null ? revokingMany : [asking]}
        onClose={closeAsking}
        onDone={afterRevoking}
      />
    </Screen>
  );
}
