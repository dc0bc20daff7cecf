import { captureChoices } from '../../src-main/service/capture/naming/presets.ts';
import { captureTransitions, type CaptureEvent } from '../../src-shared/states/capture-states.ts';

const shown = { ignored: '', refused: '-', impossible: '!' } as const;

/** The effects of each event in each state, as a table of Markdown. */
export function stateTable(): string {
  const events = Object.keys(captureTransitions.seen) as readonly CaptureEvent[];
  const rows = Object.entries(captureTransitions).map(([state, transitions]) => [
    state,
    ...events.map((event) => {
      const next: string = transitions[event];
      return next in shown ? shown[next as keyof typeof shown] : next;
    }),
  ]);
  return table(['state', ...events], rows);
}

/** The settings by instrument, as a table of Markdown. */
export function presetTable(): string {
  const rows = captureChoices.presets.map(({ preset, name, explanation }) => [`\`${preset}\``, name, explanation]);
  return table(['preset', 'instrument', 'how it knows that a run is complete'], rows);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((_head, column) => Math.max(...[heads, ...rows].map((row) => row[column]?.length ?? 0), 3));
  const line = (cells: readonly string[], fill = ' '): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  return [
    line(heads),
    line(
      heads.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ].join('\n');
}
