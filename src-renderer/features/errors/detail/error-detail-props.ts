import type { Project } from '../../../api/requests/types.ts';

export interface ErrorDetailProps {
  readonly project: Project;
  readonly errorId: string;
  /** `latest`, `oldest` or an event's id. */
  readonly event: string;
  readonly wide: boolean;
  readonly onEvent: (event: string) => void;
  readonly onWide: (wide: boolean) => void;
  readonly onQuery: (query: string) => void;
  readonly onClose: () => void;
  readonly onDelete: (() => void) | null;
}
