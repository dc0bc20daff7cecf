import type { CaptureRuleInput } from '../../contract/capture/rules.ts';
import type { ListRequest } from '../../files/hash-messages.ts';
import { pathOnDisk, placeOf } from './run-names.ts';
import type { ScanRule } from './scan-messages.ts';

/** The part of a rule that the scanning thread needs. */
export function scanRuleOf(
  ruleId: number,
  { folder, unit, layout, pattern, ignore, sign, markers, unfinished }: CaptureRuleInput,
): ScanRule {
  return { ruleId, folder, unit, layout, pattern, ignore, markers: sign === 'marker' ? markers : [], unfinished };
}

/** Where the files of a run are, as a registration reads them. */
export interface RunSource {
  readonly path: string;
  readonly kind: 'folder' | 'file';
  /** Folder that the names of its list are relative to. */
  readonly root: string;
  readonly only: { readonly pattern: string; readonly name: string } | null;
}

export function sourceOf({ folder, unit, pattern }: CaptureRuleInput, name: string): RunSource {
  const { parent, name: own } = placeOf(name);
  const root = pathOnDisk(folder, parent);
  if (unit === 'file') return { path: pathOnDisk(folder, name), kind: 'file', root, only: null };
  if (unit === 'files') return { path: root, kind: 'folder', root, only: { pattern: pattern ?? '*', name: own } };
  const path = pathOnDisk(folder, name);
  return { path, kind: 'folder', root: path, only: null };
}

/** Request for the list of a run, without what the ignore lists leave out. */
export function listOf(settings: CaptureRuleInput, name: string, ignoreList: readonly string[]): ListRequest {
  const { path, kind, only } = sourceOf(settings, name);
  return { kind, path, ignoreList: [...ignoreList, ...settings.ignore], only: only ?? undefined };
}
