import { answering } from './errors/answering.ts';
import { download } from './errors/download.ts';
import { startBuildsBench, type BuildsBench } from './builds/builds-bench.ts';
import { buildsGoals } from './builds/builds-goals.ts';
import { buildsMarkdown } from './builds/builds-report.ts';
import { startCopiesBench, type CopiesBench } from './copies/copies-bench.ts';
import { copiesGoals } from './copies/copies-goals.ts';
import { copiesMarkdown } from './copies/copies-report.ts';
import { startErrorsBench, type ErrorsBench } from './errors/errors-bench.ts';
import { errorsMarkdown } from './errors/errors-report.ts';
import { footprint } from './errors/footprint.ts';
import { list } from './errors/list.ts';
import { purge } from './errors/purge.ts';
import { taking } from './errors/taking.ts';
import { startClusterBench, type ClusterBench } from './cluster/cluster-bench.ts';
import { clusterGoals } from './cluster/cluster-goals.ts';
import { clusterMarkdown } from './cluster/cluster-report.ts';
import { startBench, type Bench } from './bench.ts';
import { ownProgram } from './fetch/fetch-clients.ts';
import { startFetchBench, type FetchBench } from './fetch/fetch-bench.ts';
import { oneFile, smallFiles } from './fetch/fetch-goals.ts';
import { fetchMarkdown } from './fetch/fetch-report.ts';
import { queueMemory } from './fetch/queue-memory.ts';
import { windowAnswers } from './fetch/window.ts';
import { archive } from './goals/archive.ts';
import { archiveRange } from './goals/archive-range.ts';
import type { Goal } from './goals/goal.ts';
import { manifest } from './goals/manifest.ts';
import { memory } from './goals/memory.ts';
import { ranges } from './goals/ranges.ts';
import { registration } from './goals/registration.ts';
import { singleFile } from './goals/single-file.ts';
import { startListsBench, type ListsBench } from './lists/lists-bench.ts';
import { listGoals } from './lists/lists-goals.ts';
import { listsMarkdown } from './lists/lists-report.ts';
import { startObjectsBench, type ObjectsBench } from './objects/objects-bench.ts';
import { objectsGoals } from './objects/objects-goals.ts';
import { objectsMarkdown } from './objects/objects-report.ts';
import { checking } from './oauth/checking.ts';
import { issuing } from './oauth/issuing.ts';
import { startOAuthBench, type OAuthBench } from './oauth/oauth-bench.ts';
import { oauthMarkdown } from './oauth/oauth-report.ts';
import { signIns } from './oauth/sign-ins.ts';
import type { Options, Say } from './options.ts';
import { startPreviewsBench, type PreviewsBench } from './previews/previews-bench.ts';
import { previewsGoals } from './previews/previews-goals.ts';
import { previewsMarkdown } from './previews/previews-report.ts';
import { servingMarkdown, type Report } from './report.ts';

/** Resources of a run that are started and stopped around a subject. */
export interface Running {
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

/** A subject that one command measures. */
export interface Subject<Servers extends Running> {
  readonly goals: readonly Goal<Servers>[];
  start(dir: string, options: Options, say: Say): Promise<Servers>;
  /**
   * Limit for the delay of our event loop over all goals, milliseconds; null where a goal has its
   * own.
   */
  readonly worstDelay: number | null;
  programOf(bench: Servers): string;
  /** The page of figures, in docs/. */
  readonly page: string;
  markdown(report: Report, options: Options): string;
}

/** Downloads and registration, beside nginx, @fastify/static, archiver and yazl. */
export const serve: Subject<Bench> = {
  goals: [singleFile, ranges, archive, archiveRange, memory, manifest, registration],
  start: startBench,
  worstDelay: 50,
  programOf: (bench) => bench.service().program,
  page: 'benchmarks.md',
  markdown: servingMarkdown,
};

/** Sign-in of other software, beside oidc-provider and Doorkeeper. */
export const oauth: Subject<OAuthBench> = {
  goals: [issuing, checking, signIns],
  start: startOAuthBench,
  worstDelay: null,
  programOf: (bench) => bench.service.program,
  page: 'benchmarks-oauth.md',
  markdown: oauthMarkdown,
};

/** Errors of programs, beside Bugsink. */
export const errors: Subject<ErrorsBench> = {
  // The purge goal ends the service for good.
  goals: [taking, answering, footprint, list, download, purge],
  start: startErrorsBench,
  worstDelay: null,
  programOf: (bench) => bench.program,
  page: 'benchmarks-errors.md',
  markdown: errorsMarkdown,
};

/** Fetching from other servers, beside aria2 and curl. */
export const fetching: Subject<FetchBench> = {
  goals: [oneFile, smallFiles, queueMemory, windowAnswers],
  start: startFetchBench,
  worstDelay: null,
  programOf: () => (ownProgram().endsWith('.js') ? 'built bundle' : 'sources'),
  page: 'benchmarks-fetch.md',
  markdown: fetchMarkdown,
};

/** Lists and searches of a large database; no peer. */
export const lists: Subject<ListsBench> = {
  goals: listGoals,
  start: startListsBench,
  worstDelay: null,
  programOf: (bench) => bench.service.program,
  page: 'benchmarks-lists.md',
  markdown: listsMarkdown,
};

/** One replica on PostgreSQL, beside the service on SQLite. */
export const cluster: Subject<ClusterBench> = {
  goals: clusterGoals,
  start: startClusterBench,
  worstDelay: null,
  programOf: () => 'sources',
  page: 'benchmarks-cluster.md',
  markdown: clusterMarkdown,
};

/** Measurements in an object storage, beside those in the library. */
export const objects: Subject<ObjectsBench> = {
  goals: objectsGoals,
  start: startObjectsBench,
  worstDelay: null,
  programOf: () => 'sources',
  page: 'benchmarks-objects.md',
  markdown: objectsMarkdown,
};

/** Copies to another server, beside rsync and rclone. */
export const copies: Subject<CopiesBench> = {
  goals: copiesGoals,
  start: startCopiesBench,
  worstDelay: null,
  programOf: (bench) => bench.program,
  page: 'benchmarks-copies.md',
  markdown: copiesMarkdown,
};

/** The first plot of a large file over a slow line; no peer. */
export const previews: Subject<PreviewsBench> = {
  goals: previewsGoals,
  start: startPreviewsBench,
  worstDelay: null,
  programOf: () => 'sources',
  page: 'benchmarks-previews.md',
  markdown: previewsMarkdown,
};

/** The build of this checkout beside that of another one. */
export const builds: Subject<BuildsBench> = {
  goals: buildsGoals,
  start: startBuildsBench,
  worstDelay: null,
  programOf: () => 'built bundle',
  page: 'benchmarks-builds.md',
  markdown: buildsMarkdown,
};
