import type { Grant, MeasurementDetail, MeasurementSummary, TransferRecord } from '../../contract/measurements.ts';
import type { FileStatus, FolderEntry } from '../../contract/measurements/files.ts';
import type { TransferWithNames } from '../../transfers/transfer-rows.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { LeftOut } from '../store/left-out-store.ts';
import type { FileRow } from '../store/files-store.ts';
import type { FolderEntryRow } from '../store/folders-store.ts';
import type { GrantWithNames } from '../store/grants-store.ts';
import type { MeasurementWithOwner } from '../store/measurements-store.ts';

/** Converts a row to its form in the API. @param copies the number of verified copies elsewhere. */
export function summaryOf(row: MeasurementWithOwner, copies: number): MeasurementSummary {
  return {
    id: row.id,
    title: row.title,
    state: row.state,
    storage: row.object_key === null ? row.storage : 'object_storage',
    owner: { id: row.owner_id, username: row.owner_username, name: row.owner_name },
    file_count: row.file_count,
    total_bytes: row.total_bytes,
    problem_count: row.problem_count,
    created_at: isoTime(row.created_at),
    registered_at: isoTime(row.registered_at),
    verified_at: isoTime(row.verified_at),
    verified_copies: copies,
  };
}

/**
 * @param asOwner Whether the request was made by the owner at the machine, who may see where the
 * files are stored.
 */
export function detailOf(
  row: MeasurementWithOwner,
  baseUrl: string,
  mayManage: boolean,
  asOwner: boolean,
  leftOut: LeftOut | null,
  copies: number,
): MeasurementDetail {
  return {
    ...summaryOf(row, copies),
    archive_bytes: row.archive_bytes,
    download_url: `${baseUrl}/measurements/${row.id}`,
    manifest_url: `${baseUrl}/measurements/${row.id}/files`,
    may_manage: mayManage,
    // Names within the folder are only shown to users who manage the measurement.
    left_out: leftOut && mayManage ? { total: leftOut.total, names: leftOut.names.slice(0, 100) } : null,
    root: asOwner && row.storage === 'reference' ? row.root : null,
  };
}

export function fileStatusOf(row: FileRow): FileStatus {
  return {
    index: row.idx,
    path: row.path,
    length: row.length,
    crc32: row.crc32,
    sha256: row.sha256.toString('hex'),
    state: row.state,
    problem: row.problem,
    checked_at: isoTime(row.checked_at),
  };
}

export function folderEntryOf(entry: FolderEntryRow): FolderEntry {
  if (entry.kind === 'file') return { name: entry.name, file: fileStatusOf(entry.row), folder: null };
  const { name, first, last, bytes, problems } = entry;
  return { name, file: null, folder: { first, last, bytes, problem_count: problems } };
}

export function grantOf(row: GrantWithNames): Grant {
  return {
    id: row.id,
    subject: row.everyone === 1 ? 'everyone' : row.user_id === null ? 'project' : 'user',
    user: row.username,
    project: row.project_path,
    until: isoTime(row.until),
    created_at: isoTime(row.created_at),
  };
}

export function transferOf(row: TransferWithNames): TransferRecord {
  return {
    id: row.id,
    started_at: isoTime(row.started_at),
    ended_at: isoTime(row.ended_at),
    user: row.username,
    token: row.token_name,
    application: row.application_name,
    address: row.address,
    what: row.what,
    file_index: row.file_index,
    path: row.path,
    range: row.range,
    status: row.status,
    bytes_sent: row.bytes_sent,
    outcome: row.outcome,
    user_agent: row.user_agent,
    requests: row.requests,
  };
}
