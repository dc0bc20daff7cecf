import { Value } from 'typebox/value';
import { parseJson } from '../common/parse-json.ts';
import { ReceiptKeys } from '../contract/copies/receipts.ts';
import type { SettingsStore } from '../database/settings-store.ts';
import type { SigningKey } from '../secrets/signing-key.ts';
import { hasKeys, withKeys } from './receipt.ts';

const setting = 'receipts.public_keys';

/**
 * The public keys of all receipts that this installation has signed, also with keys whose private
 * part is lost.
 */
export async function publishedKeys(settings: SettingsStore, current: SigningKey): Promise<ReceiptKeys> {
  const own = { keys: [{ ...current.publicJwk }] };
  for (;;) {
    const text = await settings.get(setting);
    const before = readKeys(text);
    if (hasKeys(before, own)) return before;
    const wanted = JSON.stringify(withKeys(before, own));
    const stored =
      text === null ? await settings.addIfAbsent(setting, wanted) : await settings.replace(setting, text, wanted);
    if (stored === wanted) return readKeys(stored);
  }
}

/** Reads a set of keys; an empty one for anything else. */
export function readKeys(text: string | null): ReceiptKeys {
  const value = text === null ? null : parseJson(text);
  return Value.Check(ReceiptKeys, value) ? value : { keys: [] };
}
