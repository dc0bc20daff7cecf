import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { S3Settings } from '../../../src-main/service/object-storage/s3-settings.ts';
import type { TestService } from '../start.ts';
import { replicasOfTest, type ReplicaProcess, type Replicas } from './replicas-of-test.ts';

/** Two replicas on one database and one bucket, each with a library folder of its own. */
export async function startPair(objectStorage: S3Settings): Promise<{
  readonly replicas: Replicas;
  readonly lasting: TestService;
  readonly token: string;
  /** A replica in a process of its own, to be killed. */
  mortal(): Promise<ReplicaProcess>;
  readonly folders: string[];
  end(): Promise<void>;
}> {
  const replicas = await replicasOfTest();
  const folders: string[] = [];
  let lasting: TestService | null = null;
  const ownFolder = async (): Promise<string> => {
    const folder = path.join((lasting as TestService).dir, `library-${folders.length}`);
    await mkdir(folder);
    folders.push(folder);
    return folder;
  };
  lasting = await replicas.start({ objectStorage });
  const alice = await lasting.user('alice');
  return {
    replicas,
    lasting,
    token: await lasting.token(alice, ['read_measurement', 'write_measurement', 'api']),
    mortal: async () => replicas.spawn({ objectStorage, libraryDir: await ownFolder() }),
    folders,
    end: async () => replicas.end(),
  };
}
