import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  desktopSettingsArgument,
  localPathArgument,
  noArguments,
  secretArgument,
  servicePathArgument,
  themeArgument,
} from '../../src-main/shell/bridge/bridge-arguments.ts';
import { readLaunchOptions } from '../../src-main/shell/settings/launch-options.ts';

describe('E07 arguments of the bridge', () => {
  it('an absolute path is normalised', () => {
    expect(localPathArgument(['/data/run/../run 2/ü.dat'])).toBe('/data/run 2/ü.dat');
  });

  it.each([
    [[]],
    [['relative']],
    [['']],
    [['/a', '/b']],
    [[null]],
    [[['/a']]],
    [[{ length: 2 }]],
    [['//server/share']],
    [['\\\\server\\share']],
    [['/a\0b']],
    [[`/${'x'.repeat(4096)}`]],
  ])('%j is no path of this machine', (values) => {
    expect(() => localPathArgument(values)).toThrow(TypeError);
  });

  it('no argument causes a crash, and no refusal repeats it', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 3 }), (values) => {
        for (const check of [localPathArgument, servicePathArgument, secretArgument, themeArgument]) {
          try {
            expect(typeof check(values)).toBe('string');
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
            expect((error as Error).message).toMatch(/^This is not a/);
          }
        }
      }),
    );
  });

  it('themes and paths of the service are exact', () => {
    expect(themeArgument(['dark'])).toBe('dark');
    expect(() => themeArgument(['Dark'])).toThrow(TypeError);
    expect(servicePathArgument(['/api/docs'])).toBe('/api/docs');
    expect(() => servicePathArgument(['/\\example.com'])).toThrow(TypeError);
    expect(() => servicePathArgument(['https://example.com/'])).toThrow(TypeError);
  });

  it('a change of settings has known settings, each with its own type of value', () => {
    const change = { closeToTray: true, notifications: { error: false, degraded: false } };
    expect(desktopSettingsArgument([change])).toEqual(change);
    expect(desktopSettingsArgument([{}])).toEqual({});
    for (const wrong of [
      undefined,
      null,
      7,
      [],
      { closeToTray: null },
      { theme: 'dark' },
      { notifications: { all: true } },
      { startAtLogin: 'yes' },
      { problem: null },
    ])
      expect(() => desktopSettingsArgument([wrong]), JSON.stringify(wrong)).toThrow(
        'This is not a change of settings.',
      );
    expect(() => desktopSettingsArgument([{}, {}])).toThrow(TypeError);
  });

  it('a function without arguments takes none', () => {
    expect(() => noArguments([])).not.toThrow();
    expect(() => noArguments([1])).toThrow(TypeError);
  });
});

describe('E17 the command line', () => {
  const defaults = { dataDir: undefined, port: 7420, exitOnFailure: false, hidden: false };

  it('knows four options', () => {
    expect(readLaunchOptions([], {})).toEqual(defaults);
    expect(readLaunchOptions(['.', '--data=/d', '--port', '0', '--exit-on-failure', '--hidden'], {})).toEqual({
      dataDir: '/d',
      port: 0,
      exitOnFailure: true,
      hidden: true,
    });
    expect(readLaunchOptions([], { BENCHPORT_DATA: '/e' }).dataDir).toBe('/e');
    expect(readLaunchOptions(['--data=/d'], { BENCHPORT_DATA: '/e' }).dataDir).toBe('/d');
  });

  it.each([['--port=70000'], ['--port=x'], ['--port='], ['--port'], ['--data']])('%s alone changes nothing', (word) => {
    expect(readLaunchOptions([word], {})).toEqual(defaults);
  });

  it('the other arguments are ignored', () => {
    expect(
      readLaunchOptions(
        [
          '--disable-gpu',
          '--user-data-dir=/u',
          'benchport://measurements/remove?id=1',
          '/etc/passwd',
          '--',
          '--port=1',
        ],
        {},
      ),
    ).toEqual(defaults);
  });

  it('no command line makes it fail', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (line) => {
        expect(readLaunchOptions(line, {}).port).toBeLessThan(65_536);
      }),
    );
  });
});
