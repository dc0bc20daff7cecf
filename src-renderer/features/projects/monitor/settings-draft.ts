import type { ErrorSettingsChange, ErrorTrackingSettings, ExternalProject } from '../../../api/requests/types.ts';
import type { SizeUnits } from '../../../../src-shared/format/quantities.ts';
import { readSize, sizeText } from './event-size.ts';
import { apiUrlOf, originOf, serverOf } from './external-address.ts';

/** Error tracking settings as entered. */
export interface SettingsDraft {
  readonly active: boolean;
  readonly integrated: boolean;
  /** Address of the external server. */
  readonly host: string;
  /** Empty for the stored one. */
  readonly token: string;
  /** Chosen from the list of a successful connection; null for the saved one, or none. */
  readonly chosen: ExternalProject | null;
  readonly days: string;
  readonly events: string;
  /** Maximum size of stored events, in GiB or GB. */
  readonly size: string;
  readonly units: SizeUnits;
}

/** The initial draft: the saved settings, or the defaults of a new project. */
export function draftOf(settings: ErrorTrackingSettings | null, units: SizeUnits): SettingsDraft {
  return {
    active: settings?.active ?? false,
    integrated: settings?.integrated ?? true,
    host: settings?.api_url ? serverOf(settings.api_url) : '',
    token: '',
    chosen: null,
    days: settings?.retention_days?.toString() ?? '',
    events: settings?.most_events?.toString() ?? '',
    size: sizeText(settings?.max_bytes ?? null, units),
    units,
  };
}

/** Whether the stored token belongs to the server in the draft: it is sent to no other. */
export function keepsToken(draft: SettingsDraft, settings: ErrorTrackingSettings | null): boolean {
  return (
    settings !== null &&
    settings.has_token &&
    settings.api_url !== null &&
    originOf(settings.api_url) === originOf(draft.host)
  );
}

/** Whether the draft still refers to the saved project: its address is unchanged. */
export function keepsProject(draft: SettingsDraft, settings: ErrorTrackingSettings | null): boolean {
  return (
    settings?.api_url !== undefined && settings.api_url !== null && serverOf(settings.api_url) === serverOf(draft.host)
  );
}

/**
 * The missing settings of an external backend, as a sentence; null when they are
 * complete.
 */
export function whatIsMissing(draft: SettingsDraft, settings: ErrorTrackingSettings | null): string | null {
  if (draft.integrated || !draft.active) return null;
  if (originOf(draft.host) === null) return 'Enter the API URL.';
  if (draft.token === '' && !keepsToken(draft, settings)) return 'Enter the auth token.';
  return draft.chosen === null && !keepsProject(draft, settings) ? 'Connect and choose a project.' : null;
}

/** Why a text is not a number within its limits; null for an empty or valid text. */
export function problemOfNumber(text: string, max: number): string | null {
  return text === '' || (/^[0-9]+$/.test(text) && Number(text) >= 1 && Number(text) <= max)
    ? null
    : `A whole number from 1 to ${max}.`;
}

/** The change to send. A token that was not entered is left out, so that the stored one remains. */
export function changeOf(draft: SettingsDraft, settings: ErrorTrackingSettings | null): ErrorSettingsChange {
  const { active, integrated, chosen } = draft;
  const number = (text: string): number | null => (text === '' ? null : Number(text));
  if (integrated) {
    // The text is rounded: an unchanged one means exactly the stored value.
    const isKept = draft.size === sizeText(settings?.max_bytes ?? null, draft.units);
    const size = isKept ? {} : { max_bytes: readSize(draft.size, draft.units) ?? null };
    return { active, integrated, retention_days: number(draft.days), most_events: number(draft.events), ...size };
  }
  const project =
    chosen === null
      ? keepsProject(draft, settings)
        ? {}
        : { api_url: null }
      : {
          api_url: apiUrlOf(draft.host, chosen),
          project_name: chosen.name,
          organization_name: chosen.organization_name,
        };
  return { active, integrated, ...project, ...(draft.token === '' ? {} : { token: draft.token }) };
}
