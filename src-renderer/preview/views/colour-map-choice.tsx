import field from '../../ui/controls/field.module.css';
import type { ColourMap } from './colours.ts';

export interface ColourMapChoiceProps {
  readonly map: ColourMap;
  /** The map that comes first in the list. */
  readonly first: ColourMap;
  readonly onMap: (map: ColourMap) => void;
}

/** The choice of the colours that values are drawn in. */
export function ColourMapChoice({ map, first, onMap }: ColourMapChoiceProps) {
  const heat = <option value="heat">Heat</option>;
  return (
    <label className={field['field']}>
      <span className={field['label']}>Colours</span>
      <select
        className={field['input']}
        value={map}
        onChange={(event) => onMap(event.target.value === 'grey' ? 'grey' : 'heat')}
      >
        {first === 'heat' ? heat : null}
        <option value="grey">Grey</option>
        {first === 'heat' ? null : heat}
      </select>
    </label>
  );
}
