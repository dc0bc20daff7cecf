import type { HttpClient } from '../http/http-client.ts';
import type { FetchPlan, JournalFile } from '../types.ts';

/** Path below the base URL of the whole measurement as one archive. */
export function archiveAddress(plan: FetchPlan): string {
  return `/measurements/${encodeURIComponent(plan.measurementId)}`;
}

/** Path below the base URL of a file: the manifest's link where it has one, else made from the interface. */
export function fileAddress(
  { plan, client }: { readonly plan: FetchPlan; readonly client: HttpClient },
  file: JournalFile,
): string {
  if (plan.what === 'archive') return archiveAddress(plan);
  return file.href === null ? `${archiveAddress(plan)}/files/${file.index}` : client.below(file.href);
}
