import type { ErrorTrackingSettings } from '../../contract/errors.ts';
import { externalUrlOf, readApiUrl } from '../external/sentry-address.ts';
import type { ErrorSettingsRow } from '../store/settings-store.ts';

/**
 * Settings in GitLab's shape, plus the fields of our screen, without the token.
 *
 * @param storedBytes bytes that the project's events take
 */
export function settingsShape(row: ErrorSettingsRow, storedBytes: number): ErrorTrackingSettings {
  return {
    active: row.active === 1,
    project_name: row.project_name,
    sentry_external_url: externalUrlOfSettings(row),
    api_url: row.api_url,
    integrated: row.integrated === 1,
    has_token: row.sealed_token !== null,
    retention_days: row.retention_days,
    most_events: row.most_events,
    max_bytes: row.max_bytes,
    stored_bytes: storedBytes,
  };
}

/** Returns the page where users see the errors of an external backend; null without its address. */
export function externalUrlOfSettings(row: ErrorSettingsRow): string | null {
  const address = readApiUrl(row.api_url ?? '');
  return address && externalUrlOf(address);
}
