import { usersStore } from '../../../src-main/service/accounts/store/users-store.ts';
import { openDatabase } from '../../../src-main/service/database/open.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';

/** Makes the database of a data directory, with alice as its administrator. */
export async function writeAlice(dataDir: string): Promise<void> {
  const database = openDatabase(dataDir);
  await usersStore(storeContext(database).database).create({
    username: 'alice',
    name: 'Alice',
    email: null,
    passwordHash: null,
    isAdmin: true,
  });
  database.close();
}
