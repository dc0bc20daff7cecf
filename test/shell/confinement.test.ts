import { EventEmitter } from 'node:events';
import type { Session, WebContents } from 'electron';
import { describe, expect, it } from 'vitest';
import { isPreviewWorker, previewWorkerPolicy } from '../../src-shared/preview/worker-policy.ts';
import { contentSecurityPolicy } from '../../src-main/shell/page/csp.ts';
import { confineNavigation, confineRequests } from '../../src-main/shell/window/navigation.ts';
import { denyPermissions, isGranted } from '../../src-main/shell/window/permissions.ts';
import { securePreferences } from '../../src-main/shell/window/web-preferences.ts';

/** The part of a page's contents that navigation uses. */
class FakeContents extends EventEmitter {
  openHandler: ((details: { url: string }) => { action: string }) | undefined;
  readonly loaded: string[] = [];
  rtcPolicy = 'default';

  setWebRTCIPHandlingPolicy(policy: string): void {
    this.rtcPolicy = policy;
  }

  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }

  /** Emits an event and returns whether a listener prevented it. */
  isPrevented(name: string, url: string, isMainFrame = true): boolean {
    let prevented = false;
    this.emit(name, {
      url,
      isMainFrame,
      preventDefault: () => {
        prevented = true;
      },
    });
    return prevented;
  }
}

function confined(): { contents: FakeContents; opened: string[] } {
  const contents = new FakeContents();
  const opened: string[] = [];
  confineNavigation(contents as unknown as WebContents, (url) => opened.push(url));
  return { contents, opened };
}

describe('E01 web preferences', () => {
  it('are frozen and enable isolation only', () => {
    expect(Object.isFrozen(securePreferences)).toBe(true);
    const on = Object.entries(securePreferences).filter(([, value]) => value);
    expect(Object.fromEntries(on)).toEqual({
      sandbox: true,
      contextIsolation: true,
      webSecurity: true,
      safeDialogs: true,
    });
  });
});

describe('E04 the policy of pages', () => {
  it('starts from nothing and names only the application itself', () => {
    expect(contentSecurityPolicy().split('; ')).toEqual([
      "default-src 'none'",
      ...['script', 'style', 'font'].map((kind) => `${kind}-src 'self'`),
      "img-src 'self' data:",
      "connect-src 'self'",
      ...['object-src', 'base-uri', 'form-action', 'frame-ancestors'].map((name) => `${name} 'none'`),
    ]);
  });

  it('is relaxed only for the development server', () => {
    const policy = contentSecurityPolicy(new URL('http://127.0.0.1:5199'));
    expect(policy).toContain("script-src 'self' 'unsafe-inline'");
    expect(policy).toContain("connect-src 'self' ws://127.0.0.1:5199");
    expect(policy).not.toContain('unsafe-eval');
  });
});

describe('E04 the policy of the worker of previews', () => {
  it('allows WebAssembly beside its own scripts, and requests of the own origin', () => {
    expect(previewWorkerPolicy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "connect-src 'self'",
    ]);
    expect(contentSecurityPolicy()).not.toContain('wasm');
  });

  it.each([
    ['/assets/preview-worker-Db5QYWWk.js', true],
    ['/preview/worker/preview-worker.ts', true],
    ['/assets/index-preview-worker.js', false],
    ['/assets/preview-worker-Db5QYWWk.js.map', false],
    ['/ui/preview-worker', false],
    ['/', false],
  ])('%s has it: %s', (pathname, has) => {
    expect(isPreviewWorker(pathname)).toBe(has);
  });
});

describe('E08 navigation', () => {
  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('%s stays within the application', (name) => {
    const { contents } = confined();
    expect(contents.isPrevented(name, 'app://local/tokens')).toBe(false);
    for (const url of ['https://example.com/', 'app://local.example/', 'file:///etc/passwd', 'javascript:1', ''])
      expect(contents.isPrevented(name, url), url).toBe(true);
  });

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])(
    'S109 %s shows no page of the sign-in of other software',
    (name) => {
      const { contents, opened } = confined();
      for (const url of ['app://local/oauth/authorize?client_id=1', 'app://local/users/sign_in'])
        expect(contents.isPrevented(name, url), url).toBe(true);
      expect(opened).toEqual(
        name === 'will-frame-navigate' ? ['app://local/oauth/authorize?client_id=1', 'app://local/users/sign_in'] : [],
      );
      expect(contents.isPrevented(name, 'app://local/oauth/authorize', false)).toBe(true);
      expect(opened).toHaveLength(name === 'will-frame-navigate' ? 2 : 0);
    },
  );

  it('a page that has emptied itself is reloaded', () => {
    const { contents } = confined();
    for (const url of ['app://local/ui/tokens', 'about:blank', 'about:blank#x']) contents.emit('did-navigate', {}, url);
    expect(contents.loaded).toEqual(['app://local/ui/', 'app://local/ui/']);
  });

  it('attaches no guest page', () => {
    expect(confined().contents.isPrevented('will-attach-webview', 'app://local/')).toBe(true);
  });

  it('opens no window, whatever the address', () => {
    const { contents, opened } = confined();
    for (const url of ['app://local/', 'https://example.com/'])
      expect(contents.openHandler?.({ url })).toEqual({ action: 'deny' });
    expect(opened).toEqual(['app://local/', 'https://example.com/']);
  });

  it('requests for anything but the application are cancelled', () => {
    let filter: ((details: { url: string }, decide: (answer: { cancel: boolean }) => void) => void) | undefined;
    const proxies: unknown[] = [];
    const session = {
      webRequest: { onBeforeRequest: (listener: typeof filter) => (filter = listener) },
      setProxy: (proxy: unknown) => proxies.push(proxy),
    };
    const isCancelled = (url: string): boolean | undefined => {
      let cancelled: boolean | undefined;
      filter?.({ url }, ({ cancel }) => (cancelled = cancel));
      return cancelled;
    };
    confineRequests(session as unknown as Session);
    for (const url of ['app://local/', 'blob:app://local/1', 'data:text/plain,x'])
      expect(isCancelled(url), url).toBe(false);
    for (const url of ['https://example.com/', 'http://127.0.0.1:7420/', 'ws://127.0.0.1/', 'file:///x', 'nonsense'])
      expect(isCancelled(url), url).toBe(true);
    expect(proxies).toMatchObject([{ mode: 'fixed_servers', proxyBypassRules: '<-loopback>' }]);
    confineRequests(session as unknown as Session, new URL('http://127.0.0.1:5199'));
    expect(proxies).toHaveLength(1);
    expect(isCancelled('ws://127.0.0.1:5199/')).toBe(false);
    expect(isCancelled('ws://127.0.0.1:5200/')).toBe(true);
  });
});

describe('E10 permissions', () => {
  it('only writing to the clipboard is granted, and only to our own page', () => {
    expect(isGranted('clipboard-sanitized-write', 'app://local/measurements')).toBe(true);
    expect(isGranted('clipboard-sanitized-write', 'https://example.com/')).toBe(false);
    for (const permission of [
      'clipboard-read',
      'media',
      'geolocation',
      'notifications',
      'usb',
      'openExternal',
      'fullscreen',
    ]) {
      expect(isGranted(permission, 'app://local/'), permission).toBe(false);
    }
  });

  it('devices and screens are refused, and every kind of request has a handler', () => {
    const handlers = new Map<string, (...values: never[]) => unknown>();
    const session = new Proxy(
      {},
      { get: (_target, name) => (handler: (...values: never[]) => unknown) => handlers.set(String(name), handler) },
    );
    denyPermissions(session as Session);
    expect([...handlers.keys()]).toEqual([
      'setPermissionRequestHandler',
      'setPermissionCheckHandler',
      'setDevicePermissionHandler',
      'setDisplayMediaRequestHandler',
    ]);
    expect(handlers.get('setDevicePermissionHandler')?.()).toBe(false);
  });
});
