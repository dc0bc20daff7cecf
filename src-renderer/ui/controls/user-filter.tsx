import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useApp } from '../../context/context.ts';

/** A user name with suggestions of matching users. Applied once typing has paused. */
export function UserFilter({ user, onChange }: { readonly user: string; readonly onChange: (user: string) => void }) {
  const { queries } = useApp();
  const id = useId();
  const [typed, setTyped] = useState(user);
  const [known, setKnown] = useState(user);
  // The address bar may change it too: its value then takes precedence.
  if (known !== user) {
    setKnown(user);
    setTyped(user);
  }
  useEffect(() => {
    if (typed === user) return undefined;
    const timer = setTimeout(() => onChange(typed.trim()), 300);
    return () => clearTimeout(timer);
  }, [typed, user, onChange]);
  const names = useQuery({ ...queries.users(typed.trim()), enabled: typed.trim() !== '' });
  return (
    <>
      <label htmlFor={`${id}-user`}>
        <span>User</span>
        <input
          id={`${id}-user`}
          list={`${id}-names`}
          placeholder="Everybody"
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {/* Within the label, the suggestions would be part of the field's accessible name. */}
      <datalist id={`${id}-names`}>
        {(names.data ?? []).map((one) => (
          <option key={one.id} value={one.username}>
            {one.name}
          </option>
        ))}
      </datalist>
    </>
  );
}
