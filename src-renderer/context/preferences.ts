import type { EventPeriod } from '../api/requests/types.ts';
import type { SizeUnits } from '../../src-shared/format/quantities.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  readonly theme: Theme;
  readonly units: SizeUnits;
  /** Pixels; null follows the window. */
  readonly inspectorWidth: number | null;
  /** Widths of the measurement list's columns in pixels, by column. */
  readonly columns: Readonly<Record<string, number>>;
  /**
   * Period of the chart above a project's errors, whether the chart is visible, and whether the
   * note about refused events is folded.
   */
  readonly errorChart: EventPeriod;
  readonly errorChartOpen: boolean;
  readonly refusalsFolded: boolean;
  /** Whether the files of a measurement have small pictures above them, which reads parts of files. */
  readonly showsPictures: boolean;
}

const storageKey = 'benchport.preferences';
export const inspectorLimits = { least: 340, most: 760, usual: 420 } as const;
/** The width that earlier versions stored for users who had not dragged the edge. */
const formerWidth = 440;
export const columnLimits = { least: 56, most: 480 } as const;

const defaultPreferences: Preferences = {
  theme: 'system',
  units: 'iec',
  inspectorWidth: null,
  columns: {},
  errorChart: '24h',
  errorChartOpen: true,
  refusalsFolded: false,
  showsPictures: false,
};

/** A number limited to a range. */
export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/**
 * Keeps the valid values of a stored document and uses defaults for the rest: storage may contain
 * anything.
 */
export function soundPreferences(stored: unknown): Preferences {
  if (typeof stored !== 'object' || stored === null) return defaultPreferences;
  const { theme, units, inspectorWidth, columns, errorChart, errorChartOpen, refusalsFolded, showsPictures } =
    stored as Record<string, unknown>;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    units: units === 'si' ? 'si' : 'iec',
    inspectorWidth:
      typeof inspectorWidth === 'number' && inspectorWidth !== formerWidth
        ? clamp(inspectorWidth, inspectorLimits.least, inspectorLimits.most)
        : null,
    columns:
      typeof columns === 'object' && columns !== null
        ? Object.fromEntries(
            Object.entries(columns).flatMap(([name, width]) =>
              typeof width === 'number' ? [[name, clamp(width, columnLimits.least, columnLimits.most)]] : [],
            ),
          )
        : {},
    errorChart: errorChart === '14d' || errorChart === '90d' ? errorChart : '24h',
    errorChartOpen: errorChartOpen !== false,
    refusalsFolded: refusalsFolded === true,
    showsPictures: showsPictures === true,
  };
}

/** The preferences of this browser, or the defaults. */
export function readPreferences(storage: Storage | null): Preferences {
  try {
    return soundPreferences(JSON.parse(storage?.getItem(storageKey) ?? 'null'));
  } catch {
    return defaultPreferences;
  }
}

/** Stores the preferences in this browser, where that is possible. */
export function writePreferences(storage: Storage | null, preferences: Preferences): void {
  try {
    storage?.setItem(storageKey, JSON.stringify(preferences));
  } catch {
    // Storage may be full or forbidden: the preference then lasts until the window closes.
  }
}
