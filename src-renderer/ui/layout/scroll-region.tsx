import type { ComponentProps } from 'react';

/** A scroller without anything in it that takes the focus: it is a stop of the Tab key itself. */
export function ScrollRegion({ label, ...rest }: { readonly label: string } & ComponentProps<'div'>) {
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrolling region must be reachable by keyboard.
  return <div tabIndex={0} role="region" aria-label={label} {...rest} />;
}
