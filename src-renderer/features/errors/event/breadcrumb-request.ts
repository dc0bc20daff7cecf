import type { ErrorEvent } from '../../../api/requests/types.ts';
import { lineText } from '../../../../src-shared/format/shown-text.ts';

/** `GET https://host/path, 200` for a breadcrumb about HTTP; null for other kinds. */
export function requestOf({ data }: Pick<ErrorEvent['breadcrumbs'][number], 'data'>): string | null {
  const { method, url, status_code: status } = data ?? {};
  if (typeof url !== 'string' || url === '') return null;
  const answer = typeof status === 'number' || typeof status === 'string' ? `, ${lineText(String(status), 20)}` : '';
  return `${typeof method === 'string' && method !== '' ? `${lineText(method, 20)} ` : ''}${lineText(url, 500)}${answer}`;
}
