import type { ReactNode } from 'react';

/** A term and its value in a list of facts. */
export function Fact({
  term,
  title,
  children,
}: {
  readonly term: string;
  readonly title?: string;
  readonly children: ReactNode;
}) {
  return (
    <>
      <dt>{term}</dt>
      <dd title={title}>{children}</dd>
    </>
  );
}
