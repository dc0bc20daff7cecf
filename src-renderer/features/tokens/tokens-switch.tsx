import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../../context/context.ts';
import { FilterChoices } from '../../ui/layout/filter-choices.tsx';

/** Switches between own and all tokens, for administrators; others see only their own. */
export function TokensSwitch({ all }: { readonly all: boolean }) {
  const navigate = useNavigate();
  if (useSession().user?.is_admin !== true) return null;
  return (
    <FilterChoices
      label="Whose tokens"
      choices={[
        { value: false, word: 'My tokens' },
        { value: true, word: 'All tokens' },
      ]}
      chosen={all}
      onChoose={(everybody) => void navigate({ to: '/tokens', search: everybody ? { all: true } : {} })}
    />
  );
}
