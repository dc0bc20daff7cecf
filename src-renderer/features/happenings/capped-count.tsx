/** The service counts to a hundred. */
const maxShown = 99;

/** A number beside a word, such as `99+`; nothing for none. */
export function CappedCount({
  count,
  what,
  className,
}: {
  readonly count: number;
  /** Name of the counted things, for screen readers. */
  readonly what: string;
  readonly className: string;
}) {
  if (count === 0) return null;
  return (
    <b className={className}>
      {count > maxShown ? `${maxShown}+` : count}
      <i className="visually-hidden"> {what}</i>
    </b>
  );
}
