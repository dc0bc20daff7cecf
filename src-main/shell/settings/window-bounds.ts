/** A rectangle of the screen, in device-independent pixels. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How much of a window has to be on some display so that it can be grabbed and moved. */
const reachable = { width: 120, height: 40 };

/**
 * The remembered bounds if their top edge can still be reached on a display that is there now, and no larger than that display: the one of before may have
 * been larger, and an edge that lies outside cannot be grabbed.
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
