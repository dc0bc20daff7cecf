import { Download, Eye, Fingerprint, Link2, SquareTerminal } from 'lucide-react';
import { curlDownload } from '../../../../src-shared/format/commands.ts';
import { toApiError } from '../../../api/requests/problem.ts';
import type { FileStatus, MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { usePublicKeyPin, useReachable } from '../../../context/reachable.ts';
import { copyText } from '../../../ui/controls/clipboard.ts';
import type { MenuEntry } from '../../../ui/controls/menu.tsx';
import { baseName, fileUrl } from './file-address.ts';

/** The entries of the menu of a file: to look inside, to download it, and to copy its values. */
export function useFileMenu(
  measurement: Pick<MeasurementDetail, 'id' | 'download_url'>,
  onLook: (file: number) => void,
): (file: FileStatus) => readonly MenuEntry[] {
  const { toasts, desktop } = useApp();
  const reachable = useReachable();
  const pin = usePublicKeyPin();
  return (file) => {
    const copy = (what: string, text: string) => (): void => {
      const { show } = toasts.getState();
      copyText(text).then(
        () => show({ kind: 'plain', text: `${what} copied`, detail: file.path }),
        (error: unknown) => show({ kind: 'bad', text: `${what} was not copied`, detail: toApiError(error).detail }),
      );
    };
    const url = reachable(fileUrl(measurement, file.index));
    return [
      { kind: 'item', id: 'look', label: 'Look inside', icon: <Eye />, run: () => onLook(file.index) },
      ...(desktop === null
        ? [
            {
              kind: 'item' as const,
              id: 'download',
              label: 'Download',
              icon: <Download />,
              // The response is an attachment, so the page is not left.
              run: () =>
                window.location.assign(`/measurements/${encodeURIComponent(measurement.id)}/files/${file.index}`),
            },
          ]
        : []),
      { kind: 'item', id: 'url', label: 'Copy URL', icon: <Link2 />, run: copy('URL', url) },
      {
        kind: 'item',
        id: 'curl',
        label: 'Copy curl line',
        icon: <SquareTerminal />,
        run: copy('curl line', curlDownload(url, baseName(file.path), pin)),
      },
      { kind: 'item', id: 'sha256', label: 'Copy SHA-256', icon: <Fingerprint />, run: copy('SHA-256', file.sha256) },
    ];
  };
}
