/** A rectangle on the screen, in device-independent pixels. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How much of a window must lie on a display for it to be grabbed and moved. */
const reachable = { width: 120, height: 40 };

/**
 * The remembered bounds, shrunk to the display that they overlap most; undefined if the top edge
 * cannot be reached on any current display. A smaller display would otherwise leave an edge
 * outside, where it cannot be grabbed.
 */
export function reachableBounds(remembered: Bounds | undefined, displays: readonly Bounds[]): Bounds | undefined {
  if (!remembered) return undefined;
  const shared = displays.map((display) => ({
    display,
    width: Math.min(remembered.x + remembered.width, display.x + display.width) - Math.max(remembered.x, display.x),
    height: Math.min(remembered.y + remembered.height, display.y + display.height) - Math.max(remembered.y, display.y),
  }));
  const found = shared
    .filter(
      ({ display, width, height }) =>
        width >= reachable.width && height >= reachable.height && remembered.y >= display.y,
    )
    .toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
  return (
    found && {
      ...remembered,
      width: Math.min(remembered.width, found.display.width),
      height: Math.min(remembered.height, found.display.height),
    }
  );
}
