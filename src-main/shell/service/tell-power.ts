import { powerMonitor } from 'electron';
import type { ServiceSupervisor } from './service-supervisor.ts';

/** Tells the service when the computer goes to sleep and when it wakes up. */
export function tellPower(supervisor: Pick<ServiceSupervisor, 'tellPower'>): void {
  powerMonitor.on('suspend', () => supervisor.tellPower('suspend'));
  powerMonitor.on('resume', () => supervisor.tellPower('resume'));
}
