import { useQuery } from '@tanstack/react-query';
import type { OAuthApplication } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { usePublicKeyPin, useReachable } from '../../../context/reachable.ts';
import { CommandBlock } from '../../../ui/controls/command-block.tsx';
import { deviceSample, pkceSample, tokenSample } from './samples.ts';

/** Commands that sign a user in with this application. */
export function ApplicationSamples({ application }: { readonly application: OAuthApplication }) {
  const { queries } = useApp();
  const service = useQuery(queries.service());
  const reachable = useReachable();
  const pin = usePublicKeyPin();
  const base = reachable((service.data?.base_url ?? window.location.origin).replace(/\/$/, ''));
  const [redirectUri] = application.redirect_uris;
  return (
    <>
      {redirectUri === undefined ? null : (
        <>
          <CommandBlock
            about="PKCE: make a verifier and its challenge, then open the printed address in a browser and approve."
            command={pkceSample(base, application, redirectUri)}
            label="Copy the PKCE sample"
          />
          <CommandBlock
            about={`curl: enter the code from the address you are sent to${application.confidential ? ', then the secret, unseen' : ''}; check that the state in it is yours.`}
            command={tokenSample(base, application, redirectUri, pin)}
            label="Copy the curl sample"
          />
        </>
      )}
      {application.device_grant ? (
        <CommandBlock
          about={`Device grant: show the user code and its address, enter the device code${application.confidential ? ' and the secret' : ''}, and repeat until it is approved.`}
          command={deviceSample(base, application, pin)}
          label="Copy the device sample"
        />
      ) : null}
    </>
  );
}
