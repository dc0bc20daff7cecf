import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { HashThread } from '../file-worker/hash-thread.ts';
import { clearUpload, type ClearUploadDeps } from '../uploads/direct/clear-upload.ts';
import type { RegistrationParameters } from './register.ts';

/** Removes what an upload left in the object storage; what cannot be removed now is removed later. */
export async function clearReceived(
  services: ClearUploadDeps & { readonly log: Logger },
  { upload: id }: RegistrationParameters,
): Promise<void> {
  if (id === undefined) return;
  await clearUpload(services, { id }).catch((error: unknown) =>
    services.log.warn({ err: error, upload: id }, 'what an upload left is not removed yet'),
  );
}

/** Removes an uploaded file, which is in the library now or cannot be registered. */
export async function removeReceived({ received, path: file }: RegistrationParameters): Promise<void> {
  if (received === true) await rm(path.dirname(file), { recursive: true, force: true });
}

/** In the thread, because the files of an upload may be many. */
export async function removeMembers(thread: HashThread, parameters: RegistrationParameters): Promise<void> {
  if (parameters.kind === 'members') await thread.removeAdopted(path.dirname(parameters.path)).catch(() => undefined);
  // Also for a thread that was stopped meanwhile.
  await removeReceived(parameters);
}
