import { dialog, type BaseWindow, type FileFilter, type MessageBoxOptions, type OpenDialogOptions } from 'electron';
import { backupFile } from './backup-file.ts';
import type { Question } from '../quitting/quit-rules.ts';

const backupFiles = [{ name: 'Backups', extensions: ['zip'] }];

/** Asks for files or folders; the list is empty if the user cancels. */
async function choose(
  window: BaseWindow,
  title: string,
  buttonLabel: string,
  properties: NonNullable<OpenDialogOptions['properties']>,
  filters?: FileFilter[],
): Promise<string[]> {
  return (await dialog.showOpenDialog(window, { title, buttonLabel, properties, ...(filters ? { filters } : {}) }))
    .filePaths;
}

/** Asks for a folder, which may be made in the dialog; null if the user cancels. */
async function chooseFolder(window: BaseWindow, title: string, buttonLabel: string): Promise<string | null> {
  return (await choose(window, title, buttonLabel, ['openDirectory', 'createDirectory']))[0] ?? null;
}

/** Asks for any number of folders. */
export const chooseFolders = (window: BaseWindow): Promise<string[]> =>
  choose(window, 'Register folders, each as a measurement', 'Choose', ['openDirectory', 'multiSelections']);

/** Asks for any number of files. */
export const chooseFiles = (window: BaseWindow): Promise<string[]> =>
  choose(window, 'Register files or ZIP archives', 'Choose', ['openFile', 'multiSelections']);

/** Asks where to put an export; null if the user cancels. */
export const chooseExportFolder = (window: BaseWindow): Promise<string | null> =>
  chooseFolder(window, 'Export to a folder', 'Export here');

/** Asks where to put a fetch; null if the user cancels. */
export const chooseFetchFolder = (window: BaseWindow): Promise<string | null> =>
  chooseFolder(window, 'Fetch into a folder', 'Fetch here');

/** Asks for a folder for backups or for the data; null if the user cancels. */
export const chooseDataFolder = (window: BaseWindow): Promise<string | null> =>
  chooseFolder(window, 'Choose a folder', 'Choose');

/** Asks for a backup; null if the user cancels. */
export async function chooseBackup(window: BaseWindow): Promise<string | null> {
  return (await choose(window, 'Restore a backup', 'Open', ['openFile'], backupFiles))[0] ?? null;
}

/** Asks for a new file for a backup, with a suggested name; null if the user cancels. */
export async function chooseNewBackup(window: BaseWindow, name: string): Promise<string | null> {
  const chosen = await dialog.showSaveDialog(window, {
    title: 'Make a backup',
    buttonLabel: 'Make the backup',
    defaultPath: name,
    filters: backupFiles,
  });
  if (chosen.filePath === '') return null;
  return backupFile(chosen.filePath, async (file) => {
    const question = {
      message: `Replace ${file}?`,
      detail: 'A file with this name is in that folder already.',
      buttons: ['Replace', 'Cancel'],
    };
    return (await askQuestion(question, window)) === 0;
  });
}

/**
 * Shows a question over the window, or on its own if the window is not visible.
 * @param withdrawn closes it as if the last button was chosen.
 * @returns the index of the chosen button.
 */
export async function askQuestion(
  question: Question,
  window: BaseWindow | undefined,
  withdrawn?: AbortSignal,
): Promise<number> {
  const last = question.buttons.length - 1;
  const options: MessageBoxOptions = {
    type: 'question',
    title: 'Benchport',
    ...question,
    buttons: [...question.buttons],
    defaultId: last,
    cancelId: last,
    noLink: true,
    ...(withdrawn ? { signal: withdrawn } : {}),
  };
  const { response } = await (window?.isVisible()
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options));
  return response;
}

/** Says why the service could not start; resolves to true if the user wants to retry. */
export async function askToRetry(message: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Benchport',
    message: 'The service could not start',
    detail: message,
    buttons: ['Try again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}
