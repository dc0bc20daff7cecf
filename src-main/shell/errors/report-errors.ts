import type { App } from 'electron';
import { errorReporter } from './error-reporter.ts';
import type { SendToService } from '../service/service-socket.ts';
import type { ServiceSupervisor } from '../service/service-supervisor.ts';

/**
 * Reports crashes and uncaught errors of this process, the page's process, helper processes and the
 * service.
 */
export function reportErrors(app: App, supervisor: ServiceSupervisor, sendToService: SendToService): void {
  const reporter = errorReporter(sendToService);
  // A monitor only observes: Node's default handling is unchanged.
  process.on('uncaughtExceptionMonitor', (error) => reporter.report(error, 'the window’s process', 'fatal'));
  process.on('unhandledRejection', (reason) => {
    console.error(reason);
    reporter.report(reason, 'the window’s process');
  });
  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => {
    if (reason !== 'clean-exit')
      reporter.report(named('PageGone', `The page ended: ${reason}, ${exitCode}`), 'the page', 'fatal');
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit' && reason !== 'killed')
      reporter.report(named('ProcessGone', `A process ended: ${type}, ${reason}, ${exitCode}`), 'a helper process');
  });
  supervisor.onChange(({ kind }) => {
    if (kind === 'restarting')
      reporter.report(named('ServiceGone', 'The service ended and is started again.'), 'the service', 'fatal');
    if (kind === 'ready') reporter.ready();
  });
}

/** An error without a stack, identified by its name. */
function named(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = '';
  return error;
}
