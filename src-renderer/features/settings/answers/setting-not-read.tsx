import { NotLoaded, type NotLoadedProps } from '../../../ui/notes/not-loaded.tsx';

/** Replaces a group of settings that could not be loaded, below its heading. */
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
