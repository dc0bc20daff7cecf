import type { HttpClient } from '../../../http-client/http-client.ts';
import type { FetchPlan, JournalFile } from '../types.ts';

/** Path of the measurement's archive below the base URL. */
export function archiveAddress(plan: FetchPlan): string {
  return `/measurements/${encodeURIComponent(plan.measurementId)}`;
}

/** Path of a file below the base URL: the manifest's link, or else built from the file's index. */
export function fileAddress(
  { plan, client }: { readonly plan: FetchPlan; readonly client: HttpClient },
  file: JournalFile,
): string {
  if (plan.what === 'archive') return archiveAddress(plan);
  return file.href === null ? `${archiveAddress(plan)}/files/${file.index}` : client.below(file.href);
}
