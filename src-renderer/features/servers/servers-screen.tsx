import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useApp, useScreen } from '../../context/context.ts';
import { ServerList } from './server-list.tsx';
import { ServerPage } from './server-page.tsx';

/** The servers to fetch from, or the measurements of one of them. */
export function ServersScreen() {
  useScreen('servers');
  const { queries } = useApp();
  const { serverId } = useParams({ strict: false });
  const servers = useQuery(queries.servers());
  return serverId === undefined ? (
    <ServerList servers={servers} />
  ) : (
    <ServerPage key={serverId} id={Number(serverId)} servers={servers} />
  );
}
