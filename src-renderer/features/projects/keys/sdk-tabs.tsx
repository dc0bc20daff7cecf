import { Tabs } from '@base-ui/react/tabs';
import { useState } from 'react';
import { useApp } from '../../../context/context.ts';
import { CommandBlock } from '../../../ui/controls/command-block.tsx';
import { copySecret } from '../../../ui/controls/copy-secret.ts';
import tabs from '../../../ui/layout/tabs.module.css';
import styles from './keys.module.css';
import { maskDsn } from '../../../words/mask-dsn.ts';
import { sdkSamples, type SdkSample } from './sdk-samples.ts';

export interface SdkSamplesProps {
  readonly dsn: string;
  readonly publicKey: string;
  readonly revealed: boolean;
}

/** Installation command and sample program for each of the seven languages. */
export function SdkSamples({ dsn, publicKey, revealed }: SdkSamplesProps) {
  const { desktop } = useApp();
  const [language, setLanguage] = useState('Python');
  const copy = async (text: string): Promise<void> => void (await copySecret(text, desktop));
  return (
    <Tabs.Root value={language} onValueChange={(value) => setLanguage(String(value))}>
      <Tabs.List className={`${tabs['list']} ${styles['languages']}`} aria-label="Language" activateOnFocus>
        {sdkSamples(dsn).map((sample) => (
          <Tabs.Tab key={sample.language} value={sample.language} className={tabs['tab']}>
            {sample.language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {sdkSamples(dsn).map((sample) => (
        <Tabs.Panel key={sample.language} value={sample.language} className={styles['sample']}>
          <CommandBlock
            about={testedWith(sample)}
            command={sample.install}
            label={`Copy what installs the ${sample.language} SDK`}
          />
          <CommandBlock
            about={`A program that sends an error; the SDK reports ${sample.items}`}
            command={sample.program}
            shown={revealed ? sample.program : maskDsn(sample.program, publicKey)}
            copy={copy}
            label={`Copy the ${sample.language} program`}
          />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

function testedWith({ version, newest }: SdkSample): string {
  return `Install the SDK. Tested with ${version} and ${newest}, the newest known when this version was made`;
}
