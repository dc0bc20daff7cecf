/**
 * The contract's types under the names of the screens. Types only, so that no schema is bundled.
 */
export type {
  Account,
  AuditEvent,
  ManagedUser,
  ManagedUserChange,
  ManagedUserSort,
  NewManagedUser,
  NewTotpKey,
  PasswordChange,
  RecoveryCodes,
  SignedInSession,
  WebauthnKey,
} from '../../../src-main/service/contract/account-security.ts';
export type {
  ApplicationChange,
  AuthorizedApplication,
  CreatedApplication,
  NewApplication,
  OAuthApplication,
  RenewedSecret,
  SignInSettings,
} from '../../../src-main/service/contract/applications.ts';
export type {
  CreatedToken,
  ListedToken,
  NewToken,
  PersonalAccessToken,
  User,
} from '../../../src-main/service/contract/accounts.ts';
export type { RemovedMeasurement } from '../../../src-main/service/contract/removed/removed-measurements.ts';
export type {
  ErrorRuns,
  RunError,
  RunErrors,
  RunWindow,
} from '../../../src-main/service/contract/timeline/run-errors.ts';
export type { Session, SetupRequest } from '../../../src-main/service/contract/session.ts';
export type {
  ErrorDetail,
  ErrorEvent,
  ErrorEventPage,
  ErrorException,
  ErrorPage,
  ErrorSort,
  ErrorStatus,
  ErrorSummary,
  StackFrame,
} from '../../../src-main/service/contract/errors.ts';
export type {
  ErrorOfProject,
  ErrorPageOfProjects,
  EventCounts,
  EventPeriod,
} from '../../../src-main/service/contract/error-overview.ts';
export type { AnnouncedRelease } from '../../../src-main/service/contract/announced-releases.ts';
export type { AuditRetention } from '../../../src-main/service/contract/audit-retention.ts';
export type { DiagnosticsPart } from '../../../src-main/service/contract/diagnostics.ts';
export type { OwnErrorsState, WindowError } from '../../../src-main/service/contract/own-errors.ts';
export type {
  AddingEvent,
  ChangedEvent,
  IncomingEvent,
  RatesEvent,
} from '../../../src-main/service/contract/events.ts';
export type { ClientKey, ErrorTrackingSettings, ExternalProject } from '../../../src-main/service/contract/errors.ts';
export type { BackupPreview, BackupSchedule, BackupState } from '../../../src-main/service/contract/backups.ts';
export type {
  ExportFormat,
  IgnoreListState,
  Inspection,
  Job,
  JobAction,
  JobKind,
  RegisterRequest,
  Staged,
} from '../../../src-main/service/contract/jobs.ts';
export type {
  Grant,
  MeasurementDetail,
  MeasurementSort,
  MeasurementSummary,
  NewGrant,
  Quota,
  TransferRecord,
  Upload,
} from '../../../src-main/service/contract/measurements.ts';
export type {
  FileStatus,
  FileStatusPage,
  FolderPage,
  FolderSummary,
} from '../../../src-main/service/contract/measurements/files.ts';
export type {
  Fetch,
  FetchAction,
  FetchChange,
  FetchFile,
  FetchFilePage,
  FetchFilter,
  FetchLogLine,
  FetchPage,
  FetchPieces,
  FetchReason,
  FetchRequest,
  FetchSort,
} from '../../../src-main/service/contract/fetches.ts';
export type { FetchFolder, FetchSettings } from '../../../src-main/service/contract/fetch-settings.ts';
export type { FetchManyRequest, FetchManyResult } from '../../../src-main/service/contract/fetch-many.ts';
export type {
  ErrorSettingsChange,
  NewProject,
  Project,
  ProjectChange,
  ProjectMember,
} from '../../../src-main/service/contract/projects.ts';
export type {
  DiscoveredServer,
  NewRemoteServer,
  RemoteFile,
  RemoteFilePage,
  RemoteMeasurement,
  RemoteMeasurementPage,
  RemoteServer,
  RemoteServerChange,
  ServerProblem,
  ShownCertificate,
} from '../../../src-main/service/contract/servers.ts';
export type { OutgoingSettings, ServiceStatus } from '../../../src-main/service/contract/service.ts';
export type { Download } from '../../../src-main/service/contract/downloads.ts';
export type {
  OutgoingTransfer,
  PastTransfer,
  Sharing,
  SharingChange,
  SharingTest,
} from '../../../src-main/service/contract/sharing.ts';
export type { Merged } from '../../../src-main/service/contract/error-views.ts';
export type {
  CopiesAdded,
  Copy,
  CopyAction,
  CopyFilter,
  CopyPage,
  CopyRequest,
  CopySettings,
  ReceiptFile,
  VerifiedCopy,
} from '../../../src-main/service/contract/copies/copies.ts';
export type { FetchReceipt } from '../../../src-main/service/contract/copies/fetch-receipts.ts';
export type {
  CaptureChoices,
  CaptureField,
  CaptureRule,
  CaptureRuleInput,
  CaptureRuleState,
  CaptureSign,
  CaptureUnit,
} from '../../../src-main/service/contract/capture/rules.ts';
export type {
  CaptureCounts,
  CaptureFilter,
  CaptureHistory,
  CaptureReason,
  CaptureRun,
  CaptureRunActionRequest,
  CaptureRunPage,
  CaptureTrial,
} from '../../../src-main/service/contract/capture/runs.ts';
export type {
  Deliveries,
  Delivery,
  MailServer,
  MailServerInput,
  NewNotificationRule,
  NotificationChoices,
  NotificationKind,
  NotificationRule,
  NotificationRuleInput,
  NotificationTest,
} from '../../../src-main/service/contract/notifications/notifications.ts';
export type {
  Bench,
  BenchChange,
  BenchConcern,
  BenchDetail,
  BenchExpectation,
  BenchFilter,
  BenchSort,
  BenchSummary,
} from '../../../src-main/service/contract/fleet/fleet.ts';
export type { CaptureState } from '../../../src-shared/states/capture-states.ts';
export type {
  Happening,
  HappeningCounts,
  Happenings,
  HappeningsSeen,
} from '../../../src-main/service/contract/notifications/happenings.ts';
