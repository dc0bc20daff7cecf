import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../../context/context.ts';
import screen from '../../ui/layout/screen.module.css';

/** Switches between own and all tokens, for administrators; others see only their own. */
export function TokensSwitch({ all }: { readonly all: boolean }) {
  const navigate = useNavigate();
  if (useSession().user?.is_admin !== true) return null;
  return (
    <div className={screen['choices']} role="group" aria-label="Whose tokens">
      <button type="button" aria-pressed={!all} onClick={() => void navigate({ to: '/tokens', search: {} })}>
        My tokens
      </button>
      <button type="button" aria-pressed={all} onClick={() => void navigate({ to: '/tokens', search: { all: true } })}>
        All tokens
      </button>
    </div>
  );
}
