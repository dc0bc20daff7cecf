import { Moment } from '../figures/moment.tsx';

/** A time in a table, or a word where there is none; the label stands before it in a narrow list. */
export function TimeCell(props: { readonly label: string; readonly at: string | null; readonly none?: string }) {
  const { label, ...moment } = props;
  return (
    <td data-label={label}>
      <Moment {...moment} />
    </td>
  );
}
