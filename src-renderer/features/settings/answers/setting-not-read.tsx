import { NotLoaded, type NotLoadedProps } from '../../../ui/notes/not-loaded.tsx';

/** Stands where a group of settings would be that could not be read, below the heading that it would have. */
export function SettingNotRead({
  heading,
  error,
  waits = false,
  onAgain,
}: NotLoadedProps & { readonly heading: string }) {
  if (error === null && !waits) return null;
  return (
    <>
      <h2>{heading}</h2>
      <NotLoaded error={error} waits={waits} onAgain={onAgain} />
    </>
  );
}
