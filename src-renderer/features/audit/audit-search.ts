import type { AuditFilter } from '../../api/queries/account-queries.ts';

/** Search parameters of the audit trail. */
export type AuditSearch = Partial<AuditFilter> & { readonly page?: number };

const day = /^\d{4}-\d{2}-\d{2}$/;
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Keeps only valid parameters. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const user = textOf(search['user']);
  const action = textOf(search['action']);
  const [from, to] = [textOf(search['from']), textOf(search['to'])];
  const { page } = search;
  return {
    ...(user === '' ? {} : { user }),
    ...(action === '' ? {} : { action }),
    ...(day.test(from) ? { from } : {}),
    ...(day.test(to) ? { to } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}

/** The filter of an address, with defaults for missing parameters. */
export function filterOf({ user = '', action = '', from = '', to = '' }: AuditSearch): AuditFilter {
  return { user, action, from, to };
}
