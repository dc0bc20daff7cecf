import type uPlot from 'uplot';

/**
 * Keeps a chart in a reference while it is shown, and draws it again when the theme changes.
 *
 * @returns a function that removes it.
 */
export function keepChart(plot: { current: uPlot | null }, made: uPlot): () => void {
  plot.current = made;
  const theme = new MutationObserver(() => made.redraw(false));
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    theme.disconnect();
    plot.current = null;
    made.destroy();
  };
}
