import { app, clipboard, Menu, nativeTheme, session, shell, type BrowserWindow, type Event } from 'electron';
import path from 'node:path';
import { channels } from '../../src-preload/bridge.ts';
import { handleAppScheme } from './page/app-scheme.ts';
import { handleBridge } from './bridge/bridge-handlers.ts';
import { ChosenPaths } from './files/chosen-paths.ts';
import { linkRoute, linkRouteOfLine, linkScheme } from './page/deep-links.ts';
import { startDesktop } from './start-desktop.ts';
import { askToRetry } from './files/dialogs.ts';
import { developmentMode } from './development.ts';
import { serviceUrl } from './window/external-url.ts';
import { rateLimit } from './files/rate-limit.ts';
import { hiddenSwitch, type LaunchOptions } from './settings/launch-options.ts';
import { leavingUrl } from './window/leaving-url.ts';
import { focusWindow, openMainWindow } from './window/main-window.ts';
import { menuTemplate } from './window/menu-template.ts';
import { confineNavigation, confineRequests } from './window/navigation.ts';
import { PageRoutes } from './page/page-routes.ts';
import { denyPermissions } from './window/permissions.ts';
import { quitAfter, type Quit } from './quitting/quit.ts';
import { remember } from './settings/remember.ts';
import { reportErrors } from './errors/report-errors.ts';
import { keepUpToDate } from './updates/keep-up-to-date.ts';
import { prepareService } from './service/desktop-service.ts';
import { serviceRequests } from './page/service-requests.ts';
import { sendThrough } from './service/service-socket.ts';
import { tellPower } from './service/tell-power.ts';
import { SecretClipboard } from './bridge/secret-clipboard.ts';
import type { ServiceSupervisor } from './service/service-supervisor.ts';
import { openSettings } from './settings/settings.ts';
import { StagedPaths } from './files/staged-paths.ts';
import { startAtLogin } from './settings/start-at-login.ts';

/** Runs the desktop application, with one service and one window, until it quits. */
export async function runDesktop(options: LaunchOptions): Promise<void> {
  const development = developmentMode();
  const settings = openSettings();
  nativeTheme.themeSource = settings.get('theme') ?? 'system';

  const ownContents = new Set<number>();
  let window: BrowserWindow | undefined;
  let isUp = false;
  const routes = new PageRoutes((route) => window?.webContents.send(channels.navigate, route));
  const openRoute = (route: string | undefined): void => {
    if (route !== undefined) routes.open(route);
  };
  // macOS delivers links as this event, the first one possibly before the application is ready.
  app.on('open-url', (event: Event, url) => {
    event.preventDefault();
    openRoute(linkRoute(url));
    if (isUp) show();
  });
  openRoute(linkRouteOfLine(process.argv.slice(1)));
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
  // Windows shows notifications only for the application id that the installer registered.
  app.setAppUserModelId('app.benchport.desktop');
  await app.whenReady();

  const out = path.join(app.getAppPath(), 'out');
  const service = await prepareService(options, out);
  const { supervisor, serviceSocket } = service;
  const secretClipboard = new SecretClipboard(clipboard);
  const quit = quitAfter(
    async () => {
      desktop.end();
      await secretClipboard.forget();
      await supervisor.stop();
      await service.removeSocket();
    },
    () => updates.end(desktop.isSessionsEnd()),
  );

  // Opening more pages than this is not something a user does by hand.
  const mayOpen = rateLimit(5, 5_000, () => performance.now());
  const openExternal = (url: string): void => {
    const safe = leavingUrl(url, supervisor.state.kind === 'ready' ? supervisor.state.url : undefined);
    if (safe && mayOpen()) void shell.openExternal(safe);
  };
  const openServicePath = async (servicePath: string): Promise<void> => {
    const url = supervisor.state.kind === 'ready' ? serviceUrl(supervisor.state.url, servicePath) : undefined;
    if (!url) throw new Error('There is no such page of the service.');
    if (!mayOpen()) throw new Error('Too many pages were opened at once.');
    await shell.openExternal(url);
  };

  const stagedPaths = new StagedPaths();
  const chosenPaths = new ChosenPaths();
  const sendToService = sendThrough(serviceSocket);
  reportErrors(app, supervisor, sendToService);
  tellPower(supervisor);
  denyPermissions(session.defaultSession);
  confineRequests(session.defaultSession, development.server);
  handleAppScheme(session.defaultSession, {
    rendererDir: path.join(out, 'renderer'),
    service: serviceRequests(serviceSocket, () => supervisor.state, stagedPaths, chosenPaths),
    developmentServer: development.server,
  });
  const openAndShow = (route?: string): void => {
    openRoute(route);
    show();
  };
  const desktop = startDesktop({
    serviceSocket,
    sendToService,
    supervisor,
    store: settings,
    login: startAtLogin(process.platform, options.dataDir),
    iconFolder: path.join(service.assetsDir, 'icons'),
    window: () => window,
    open: openAndShow,
  });
  const updates = keepUpToDate({ sendToService, supervisor, desktop, open: openAndShow });
  handleBridge({
    ownContents,
    isStaged: (file) => stagedPaths.includes(file, sendToService),
    onChosen: (paths) => chosenPaths.note(paths),
    openServicePath,
    copySecret: (secret) => secretClipboard.copy(secret),
    rememberTheme: (theme) => remember(settings, { theme }),
    pageListens: () => routes.listening(),
    settings: desktop.settings,
    updates,
  });
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate({
        platform: process.platform,
        development: development.on,
        send: (command) => window?.webContents.send(channels.command, command),
        openInBrowser: (servicePath) => void openServicePath(servicePath).catch(() => {}),
      }),
    ),
  );

  app.on('web-contents-created', (_event, contents) => {
    confineNavigation(contents, openExternal);
  });
  function show(): void {
    if (window && !window.isDestroyed()) {
      focusWindow(window);
      return;
    }
    const opened = openMainWindow({
      preload: path.join(out, 'preload/index.cjs'),
      version: app.getVersion(),
      developerTools: development.on,
      settings,
    });
    const id = opened.webContents.id;
    ownContents.add(id);
    opened.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) routes.gone();
    });
    opened.webContents.on('render-process-gone', () => routes.gone());
    opened.once('closed', () => {
      ownContents.delete(id);
      routes.gone();
    });
    desktop.adopt(opened);
    window = opened;
  }
  app.on('second-instance', (_event, line) => {
    openRoute(linkRouteOfLine(line));
    if (!line.includes(hiddenSwitch)) show();
  });
  app.on('activate', show);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });

  reportFailures(supervisor, options.exitOnFailure, quit);
  supervisor.start();
  isUp = true;
  if (!options.hidden) show();
  // Without a tray, a hidden window could not be reached.
  if (!(await desktop.appear()) && options.hidden) show();
}

/**
 * Tells the user that the service cannot start and offers to retry, since the cause may be fixable.
 */
function reportFailures(supervisor: ServiceSupervisor, exitOnFailure: boolean, quit: Quit): void {
  supervisor.onChange((state) => {
    if (state.kind !== 'failed') return;
    console.error(`The service could not start: ${state.message}`);
    if (exitOnFailure) {
      quit(1);
      return;
    }
    void askToRetry(state.message).then((again) => {
      if (again) supervisor.start();
      else quit(1);
    });
  });
}
