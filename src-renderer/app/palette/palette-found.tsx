import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { paletteFew } from '../../api/queries/palette-queries.ts';
import type {
  ManagedUser,
  MeasurementSummary,
  OAuthApplication,
  PersonalAccessToken,
  Project,
  ErrorPageOfProjects,
} from '../../api/requests/types.ts';
import { formatBytes, type SizeUnits } from '../../../src-shared/format/quantities.ts';
import { lineText } from '../../../src-shared/format/shown-text.ts';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';
import { useApp, useSession, useUnits } from '../../context/context.ts';
import { matchWords } from '../../ui/lists/match-words.ts';
import type { PaletteEntry } from './palette-entry.ts';

const debounceMs = 150;

/** Matches of the typed text, a few of each kind; results for earlier text are discarded. */
export function usePaletteFound(typed: string): {
  readonly found: readonly PaletteEntry[];
  readonly isSearching: boolean;
} {
  const { queries } = useApp();
  const { user } = useSession();
  const units = useUnits();
  const navigate = useNavigate();
  const now = typed.trim();
  const search = useDebounced(now, debounceMs);
  const enabled = search.length > 1 && search === now;
  const measurements = useQuery({ ...queries.paletteMeasurements(search), enabled });
  const errors = useQuery({ ...queries.paletteErrors(search), enabled });
  // The API searches part of the name; “revoke” is the action.
  const tokens = useQuery({
    ...queries.paletteTokens(user?.id ?? 0, search.replace(/^(revoke\s+)?(token\s+)?/i, '')),
    enabled,
  });
  const users = useQuery({ ...queries.paletteUsers(search), enabled: enabled && user?.is_admin === true });
  const projects = useQuery({ ...queries.myProjects(), enabled });
  const applications = useQuery({ ...queries.applications('own'), enabled });
  const isSearching =
    now.length > 1 &&
    (!enabled || [measurements, errors, tokens, users, projects, applications].some(({ isFetching }) => isFetching));
  const found = useMemo((): PaletteEntry[] => {
    if (!enabled) return [];
    const data = {
      measurements: measurements.data,
      projects: projects.data,
      errors: errors.data,
      tokens: tokens.data,
      applications: applications.data,
      users: users.data,
    };
    return entriesOf(data, search, units, navigate);
  }, [
    enabled,
    search,
    measurements.data,
    projects.data,
    errors.data,
    tokens.data,
    applications.data,
    users.data,
    units,
    navigate,
  ]);
  return { found, isSearching };
}

interface FoundData {
  readonly measurements: readonly MeasurementSummary[] | undefined;
  readonly projects: readonly Project[] | undefined;
  readonly errors: ErrorPageOfProjects['errors'] | undefined;
  readonly tokens: readonly PersonalAccessToken[] | undefined;
  readonly applications: readonly OAuthApplication[] | undefined;
  readonly users: readonly ManagedUser[] | undefined;
}

function entry(kind: string, id: string | number, title: string, more: string, run: () => void): PaletteEntry {
  return {
    id: `${kind}-${id}`,
    group: kind,
    title: lineText(title, 120),
    more: more === '' || more === title ? null : <span>{lineText(more, 120)}</span>,
    destroys: false,
    run,
  };
}

function entriesOf(
  { measurements, projects, errors, tokens, applications, users }: FoundData,
  search: string,
  units: SizeUnits,
  navigate: ReturnType<typeof useNavigate>,
): PaletteEntry[] {
  const ofTokens = (tokens ?? []).filter(
    (token) => token.active && matchWords(`Revoke token ${token.name} ${token.description}`, search),
  );
  return [
    ...(measurements ?? []).map(({ id, title, total_bytes: bytes }) =>
      entry(
        'Measurement',
        id,
        id,
        `${title === id ? '' : `${title} · `}${formatBytes(bytes, units)}`,
        () => void navigate({ to: '/measurements/$measurementId', params: { measurementId: id } }),
      ),
    ),
    ...(projects ?? [])
      .filter(({ path, name }) => matchWords(`Project ${path} ${name}`, search))
      .slice(0, paletteFew)
      .map(({ path, name }) =>
        entry('Project', path, path, name, () => void navigate({ to: '/projects/$path/errors', params: { path } })),
      ),
    ...(errors ?? []).map(({ id, title, project: { id: projectId, path } }) =>
      entry(
        'Error',
        `${projectId}-${id}`,
        title,
        path,
        () => void navigate({ to: '/projects/$path/errors/$errorId', params: { path, errorId: id } }),
      ),
    ),
    ...ofTokens
      .filter((token) => matchWords(`Token ${token.name} ${token.description}`, search))
      .map(({ id, name, description }) =>
        entry('Token', id, name, description, () => void navigate({ to: '/tokens', search: { search: name } })),
      ),
    ...(applications ?? [])
      .filter(({ name, client_id: clientId }) => matchWords(`Application ${name} ${clientId}`, search))
      .slice(0, paletteFew)
      .map(({ id, name }) =>
        entry(
          'Application',
          id,
          name,
          '',
          () => void navigate({ to: '/applications/$applicationId', params: { applicationId: String(id) } }),
        ),
      ),
    ...(users ?? []).map(({ id, username, name }) =>
      entry('User', id, username, name, () => void navigate({ to: '/users', search: { search: username } })),
    ),
    ...ofTokens.map(({ id, name }) => ({
      id: `revoke-${id}`,
      group: 'Token',
      title: `Revoke ${lineText(name, 120)}…`,
      more: null,
      destroys: true,
      run: () => void navigate({ to: '/tokens', search: { revoke: id } }),
    })),
  ];
}
